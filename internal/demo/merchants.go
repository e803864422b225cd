package demo

// A merchant of the portfolio. Nobody here exists: names are made up, email domains end in .example, telephone numbers
// are of the 555-01xx block that is kept for fiction, and no EIN was ever issued with the prefix 00.
type merchant struct {
	slug     string // names it in the tables, and its domain
	name     string
	trade    string
	naics    string
	since    int // year
	city     string
	state    string
	zip      string
	areaCode string
	monthly  int // true revenue, in dollars
	owner    person
}

type person struct{ first, last string }

// merchants of the first company, then those of the second. A merchant's place in the list gives it its numbers.
var localMerchants = []merchant{
	{
		"cedar-and-sage", "Cedar & Sage Salon LLC", "Beauty salons", "812112", 2016,
		"Boise", "ID", "83702", "208", 31_000,
		person{"Rhonda", "Esquibel"},
	},
	{
		"copper-kettle", "Copper Kettle Diner LLC", "Full-service restaurants", "722511", 2014,
		"Joliet", "IL", "60435", "815", 62_000,
		person{"Marisol", "Venner"},
	},
	{
		"blue-heron", "Blue Heron Marine Supply Inc", "Boat dealers", "441222", 2009,
		"Mobile", "AL", "36602", "251", 94_000,
		person{"Curtis", "Oakhurst"},
	},
	{
		"tamarack", "Tamarack Auto Body LLC", "Automotive body repair", "811121", 2011,
		"Duluth", "MN", "55802", "218", 58_000,
		person{"Annika", "Saarholm"},
	},
	{
		"sundial", "Sundial Dental Group PC", "Offices of dentists", "621210", 2007,
		"Mesa", "AZ", "85201", "480", 118_000,
		person{"Priya", "Raghavan"},
	},
	{
		"old-mill", "Old Mill Lane Brewing LLC", "Breweries", "312120", 2015,
		"Asheville", "NC", "28801", "828", 71_000,
		person{"Tobias", "Lindgarde"},
	},
	{
		"pinecrest", "Pinecrest Landscaping Inc", "Landscaping services", "561730", 2012,
		"Macon", "GA", "31201", "478", 49_000,
		person{"Denise", "Fallowell"},
	},
	{
		"ironwood", "Ironwood Machine Works Inc", "Machine shops", "332710", 1998,
		"Toledo", "OH", "43604", "419", 165_000,
		person{"Walt", "Krasinke"},
	},
	{
		"lantern-hill", "Lantern Hill Inn LLC", "Bed-and-breakfast inns", "721191", 2010,
		"Burlington", "VT", "05401", "802", 44_000,
		person{"Colette", "Marchbank"},
	},
	{
		"riverbend", "Riverbend Short Haul LLC", "General freight trucking, local", "484110", 2013,
		"Memphis", "TN", "38103", "901", 132_000,
		person{"Darnell", "Pickard"},
	},
	{
		"golden-sparrow", "Golden Sparrow Bakery LLC", "Retail bakeries", "311811", 2017,
		"San Antonio", "TX", "78205", "210", 39_000,
		person{"Ximena", "Orduno"},
	},
	{
		"northgate", "Northgate Pediatric Therapy PLLC", "Offices of therapists", "621340", 2014,
		"Albany", "NY", "12207", "518", 76_000,
		person{"Naomi", "Silverstrand"},
	},
	{
		"coastal-ridge", "Coastal Ridge Roofing Inc", "Roofing contractors", "238160", 2008,
		"Jacksonville", "FL", "32202", "904", 141_000,
		person{"Hector", "Villagran"},
	},
	{
		"prairie-wind", "Prairie Wind Veterinary Clinic PC", "Veterinary services", "541940", 2005,
		"Wichita", "KS", "67202", "316", 88_000,
		person{"Joanna", "Prewitt"},
	},
	{
		"stonebridge", "Stonebridge Tile & Slab LLC", "Tile contractors", "238340", 2016,
		"Providence", "RI", "02903", "401", 54_000,
		person{"Matteo", "Ferrandini"},
	},
	{
		"magnolia", "Magnolia Street Florist LLC", "Florists", "459310", 2018,
		"Jackson", "MS", "39201", "601", 27_000,
		person{"Loretta", "Haskew"},
	},
	{
		"quarry-lane", "Quarry Lane Fitness LLC", "Fitness centers", "713940", 2019,
		"Salt Lake City", "UT", "84101", "801", 36_000,
		person{"Kenji", "Morishige"},
	},
	{
		"silver-birch", "Silver Birch Printing Inc", "Commercial printing", "323111", 2003,
		"Manchester", "NH", "03101", "603", 67_000,
		person{"Paul", "Thibault"},
	},
	{
		"delta-skiff", "Delta Skiff Seafood LLC", "Fish and seafood wholesalers", "424460", 2012,
		"Baton Rouge", "LA", "70801", "225", 103_000,
		person{"Antoine", "Guidroz"},
	},
	{
		"bright-harbor", "Bright Harbor Daycare LLC", "Child care services", "624410", 2015,
		"Norfolk", "VA", "23510", "757", 42_000,
		person{"Sheila", "Okafor"},
	},
	{
		"two-rivers", "Two Rivers Heating & Air Inc", "Plumbing and HVAC contractors", "238220", 2006,
		"Kansas City", "MO", "64106", "816", 127_000,
		person{"Vernon", "Stadler"},
	},
	{
		"whitetail", "Whitetail Creek Outfitters LLC", "Sporting goods retailers", "459110", 2014,
		"Billings", "MT", "59101", "406", 52_000,
		person{"Casey", "Rundqvist"},
	},
	{
		"marigold", "Marigold Home Health Inc", "Home health care services", "621610", 2011,
		"Sacramento", "CA", "95814", "916", 109_000,
		person{"Amihan", "Delossantos"},
	},
	{
		"juniper-point", "Juniper Point Cafe LLC", "Snack and beverage bars", "722515", 2020,
		"Santa Fe", "NM", "87501", "505", 29_000,
		person{"Elena", "Archuleta"},
	},
	{
		"hearth-and-timber", "Hearth & Timber Furniture LLC", "Wood furniture manufacturing", "337122", 2009,
		"Grand Rapids", "MI", "49503", "616", 84_000,
		person{"Pieter", "Vanderlaan"},
	},
	{
		"keystone-valley", "Keystone Valley Plumbing Inc", "Plumbing and HVAC contractors", "238220", 2004,
		"Harrisburg", "PA", "17101", "717", 97_000,
		person{"Frank", "Dombrowski"},
	},
	{
		"saltwater", "Saltwater Paddle Tours LLC", "Scenic water transportation", "487210", 2017,
		"Portland", "ME", "04101", "207", 33_000,
		person{"Hannah", "Pettengill"},
	},
	{
		"elm-court", "Elm Court Pharmacy Inc", "Pharmacies", "456110", 2001,
		"Hartford", "CT", "06103", "860", 156_000,
		person{"Sanjay", "Bhattarai"},
	},
	{
		"redbud", "Redbud Daylight Optical LLC", "Offices of optometrists", "621320", 2010,
		"Tulsa", "OK", "74103", "918", 61_000,
		person{"Melvin", "Stonecipher"},
	},
	{
		"bluegrass", "Bluegrass Mobile Tire LLC", "Tire dealers", "441340", 2018,
		"Lexington", "KY", "40507", "859", 37_000,
		person{"Travis", "Lockaby"},
	},
	{
		"sagebrush", "Sagebrush Towing LLC", "Motor vehicle towing", "488410", 2016,
		"Reno", "NV", "89501", "775", 45_000,
		person{"Gina", "Etcheberry"},
	},
	{
		"cobalt", "Cobalt Electric Contractors Inc", "Electrical contractors", "238210", 2002,
		"Columbia", "SC", "29201", "803", 174_000,
		person{"Raymond", "Gadsden"},
	},
	{
		"maple-and-vine", "Maple & Vine Catering LLC", "Caterers", "722320", 2015,
		"Madison", "WI", "53703", "608", 48_000,
		person{"Ingrid", "Halvorsdale"},
	},
	{
		"anchor-point", "Anchor Point Boatworks Inc", "Boat building", "336612", 2000,
		"Tacoma", "WA", "98402", "253", 138_000,
		person{"Soren", "Kjelgaard"},
	},
	{
		"fern-hollow", "Fern Hollow Nursery LLC", "Nursery and garden retailers", "444240", 2013,
		"Eugene", "OR", "97401", "541", 41_000,
		person{"Willa", "Brandvold"},
	},
	{
		"heartland", "Heartland Grain Equipment Inc", "Farm machinery wholesalers", "423820", 1996,
		"Des Moines", "IA", "50309", "515", 212_000,
		person{"Dale", "Hockensmith"},
	},
	{
		"crescent-park", "Crescent Park Laundromat LLC", "Coin-operated laundries", "812310", 2014,
		"Newark", "NJ", "07102", "973", 35_000,
		person{"Yusuf", "Abdelnour"},
	},
	{
		"summit-trail", "Summit Trail Physical Therapy PC", "Offices of therapists", "621340", 2012,
		"Fort Collins", "CO", "80524", "970", 69_000,
		person{"Bridget", "Oshiro"},
	},
	{
		"broad-street", "Broad Street Barbers LLC", "Barber shops", "812111", 2019,
		"Wilmington", "DE", "19801", "302", 24_000,
		person{"Cornell", "Whitbeck"},
	},
	{
		"oxbow", "Oxbow Custom Cabinets LLC", "Wood cabinet manufacturing", "337110", 2008,
		"Omaha", "NE", "68102", "402", 92_000,
		person{"Monica", "Sedlak"},
	},
	{
		"lakeshore", "Lakeshore Claims Billing LLC", "Other accounting services", "541219", 2013,
		"Hammond", "IN", "46320", "219", 57_000,
		person{"Teresa", "Kowalenko"},
	},
	{
		"crab-shack", "Weatherly Crab Shack LLC", "Limited-service restaurants", "722513", 2016,
		"Annapolis", "MD", "21401", "410", 53_000,
		person{"Everett", "Tilghurst"},
	},
}

var beaconMerchants = []merchant{
	{
		"harborlight", "Harborlight Seafood Market LLC", "Fish and seafood retailers", "445250", 2011,
		"Gloucester", "MA", "01930", "978", 63_000,
		person{"Fiona", "Amaralto"},
	},
	{
		"saguaro-pools", "Saguaro Pool Service LLC", "Other services to buildings", "561790", 2015,
		"Henderson", "NV", "89002", "702", 38_000,
		person{"Ruben", "Castellanos"},
	},
	{
		"tupelo-road", "Tupelo Road Music Shop LLC", "Musical instrument retailers", "459140", 2009,
		"Little Rock", "AR", "72201", "501", 29_000,
		person{"Odell", "Ransom"},
	},
	{
		"highland-spine", "Highland Spine & Joint PLLC", "Offices of chiropractors", "621310", 2012,
		"Charleston", "WV", "25301", "304", 66_000,
		person{"Carla", "Bickerstaff"},
	},
	{
		"gateway-pallet", "Gateway Pallet Company Inc", "Wood container manufacturing", "321920", 2001,
		"St. Louis", "MO", "63101", "314", 121_000,
		person{"Stanley", "Urbaniak"},
	},
	{
		"plumeria", "Plumeria Day Spa LLC", "Other personal care services", "812199", 2017,
		"Honolulu", "HI", "96813", "808", 47_000,
		person{"Leilani", "Kapahu"},
	},
	{
		"black-spruce", "Black Spruce Timber Inc", "Sawmills", "321113", 1999,
		"Fairbanks", "AK", "99701", "907", 144_000,
		person{"Nils", "Ostervold"},
	},
	{
		"badlands", "Badlands Truck Repair LLC", "General automotive repair", "811111", 2014,
		"Rapid City", "SD", "57701", "605", 59_000,
		person{"Jody", "Tambling"},
	},
	{
		"red-river", "Red River Drywall Inc", "Drywall contractors", "238310", 2010,
		"Fargo", "ND", "58102", "701", 82_000,
		person{"Kirsten", "Solvang"},
	},
	{
		"wind-river", "Wind River Welding LLC", "Other specialty trade contractors", "238990", 2013,
		"Casper", "WY", "82601", "307", 51_000,
		person{"Brett", "Haverly"},
	},
	{
		"peachtree-lane", "Peachtree Lane Boutique LLC", "Clothing retailers", "458110", 2018,
		"Atlanta", "GA", "30303", "404", 34_000,
		person{"Simone", "Attaway"},
	},
	{
		"district-couriers", "District Couriers LLC", "Local messengers", "492210", 2016,
		"Washington", "DC", "20001", "202", 46_000,
		person{"Desta", "Gebremariam"},
	},
	{
		"bayou-bright", "Bayou Bright Cleaning LLC", "Janitorial services", "561720", 2015,
		"New Orleans", "LA", "70112", "504", 43_000,
		person{"Yvette", "Robichaux"},
	},
	{
		"orange-grove", "Orange Grove Preschool LLC", "Child care services", "624410", 2012,
		"Fresno", "CA", "93721", "559", 55_000,
		person{"Amparo", "Villaseca"},
	},
	{
		"hudson-loft", "Hudson Loft Photography LLC", "Photography studios", "541921", 2019,
		"Yonkers", "NY", "10701", "914", 22_000,
		person{"Leo", "Marantino"},
	},
	{
		"caliche-granite", "Caliche Granite & Quartz LLC", "Cut stone manufacturing", "327991", 2008,
		"Austin", "TX", "78701", "512", 112_000,
		person{"Gurpreet", "Sandhar"},
	},
	{
		"palmetto-pet", "Palmetto Pet Lodge LLC", "Pet care services", "812910", 2017,
		"Bradenton", "FL", "34205", "941", 40_000,
		person{"Wendell", "Crosby"},
	},
	{
		"shenandoah", "Shenandoah Honey & Wax LLC", "Apiculture", "112910", 2014,
		"Roanoke", "VA", "24011", "540", 26_000,
		person{"Iris", "Fauntleroy"},
	},
}

// partners own what the owner of every third merchant does not.
var partners = []person{
	{"Maureen", "Dunleavy"},
	{"Oscar", "Palomino"},
	{"Beth", "Wickstrom"},
	{"Rashid", "Tamimi"},
	{"Clara", "Novotny"},
	{"Jerome", "Bellefleur"},
	{"Keiko", "Hamada"},
	{"Aaron", "Goldfinch"},
	{"Lourdes", "Quintanar"},
	{"Graham", "Ellsmere"},
	{"Tamika", "Broadnax"},
	{"Viktor", "Zelenko"},
	{"Nadine", "Charbonnet"},
	{"Ellis", "Thornberry"},
	{"Paloma", "Iturralde"},
	{"Duncan", "Abernethy"},
	{"Mei", "Longden"},
	{"Roland", "Fitzwarren"},
	{"Sabine", "Krause"},
	{"Felix", "Arrowood"},
}

var streets = []string{
	"Larkin Avenue", "Mill Street", "Commerce Drive", "Second Street", "Old County Road", "Depot Street", "Foundry Lane",
	"Market Street", "Harrison Avenue", "Willow Court", "Station Road", "Prospect Street", "Canal Street", "Union Avenue",
	"Orchard Road", "Front Street", "Garfield Boulevard", "Spruce Street", "Industrial Parkway", "Church Street",
}
