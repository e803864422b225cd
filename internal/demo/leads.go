package demo

import "paydown/ent/lead"

// enquiry is a lead and where it stands on the day of the anchor.
type enquiry struct {
	business string
	contact  person
	domain   string
	phone    string
	source   string
	amount   int // asked for, in dollars; 0 where nothing was said
	ago      int // days before the anchor that it came in
	status   lead.Status
	notes    string
	small    bool
}

var localLeads = []enquiry{
	{
		"Thistle & Oak Bookbinders LLC",
		person{"Marguerite", "Delacour"},
		"thistleoak.example", "(413) 555-0114", "website", 18_000, 2, lead.StatusNEW, "", small,
	},
	{
		"Granger Road Auto Glass Inc",
		person{"Dwayne", "Hollister"},
		"grangerglass.example", "(216) 555-0126", "broker", 35_000, 1, lead.StatusNEW, "Sent in by Larkspur.", !small,
	},
	{
		"Paper Lantern Noodle House LLC",
		person{"Linh", "Truongvan"},
		"paperlantern.example", "(714) 555-0131", "website", 25_000, 3, lead.StatusNEW, "", !small,
	},
	{
		"Whippoorwill Farm Stand LLC",
		person{"Nettie", "Carraway"},
		"whippoorwillfarm.example", "(540) 555-0108", "trade show", 0, 4, lead.StatusNEW, "", !small,
	},
	{
		"Ridgeline Solar Wash LLC",
		person{"Garrett", "Moyle"},
		"ridgelinewash.example", "(602) 555-0169", "referral", 40_000, 1, lead.StatusNEW, "", !small,
	},
	{
		"Dovetail Kitchens Inc",
		person{"Isadora", "Lambrecht"},
		"dovetailkitchens.example", "(503) 555-0157", "website", 60_000, 5, lead.StatusNEW, "", !small,
	},
	{
		"Harvest Moon Creamery LLC",
		person{"Otis", "Blanchet"},
		"harvestmooncream.example", "(802) 555-0140",
		"broker", 45_000, 6, lead.StatusCONTACTED, "Wants to buy a second vat before the season.", small,
	},
	{
		"Cinder Block Climbing LLC",
		person{"Talia", "Rosewater"},
		"cinderblockclimb.example", "(720) 555-0122",
		"website", 30_000, 9, lead.StatusCONTACTED, "Call back after the lease is signed.", !small,
	},
	{
		"Bramble Street Pediatrics PLLC",
		person{"Ngozi", "Eberechi"},
		"bramblepeds.example", "(404) 555-0187", "cold call", 75_000, 12, lead.StatusCONTACTED, "", !small,
	},
	{
		"Pocket Square Tailors LLC",
		person{"Alfonse", "Ricciardi"},
		"pocketsquare.example", "(617) 555-0193", "referral", 12_000, 14, lead.StatusCONTACTED, "", !small,
	},
	{
		"Second Cutting Hay & Feed Inc",
		person{"Lyle", "Gunderson"},
		"secondcutting.example", "(605) 555-0104",
		"trade show", 90_000, 20, lead.StatusCONTACTED,
		"Revenue is seasonal: most of it comes in August and September.", !small,
	},
	{
		"Tin Whistle Pub LLC",
		person{"Siobhan", "Kerrigan"},
		"tinwhistlepub.example", "(414) 555-0136",
		"website", 28_000, 11, lead.StatusQUALIFIED, "Three months of statements received.", small,
	},
	{
		"Lodestar Dental Lab Inc",
		person{"Rafael", "Monteagudo"},
		"lodestarlab.example", "(305) 555-0149", "broker", 65_000, 16, lead.StatusQUALIFIED, "", !small,
	},
	{
		"Kettle Creek Cabins LLC",
		person{"Augusta", "Renfrow"},
		"kettlecreek.example", "(828) 555-0183",
		"referral", 50_000, 19, lead.StatusQUALIFIED, "One open position, two months to go.", !small,
	},
	{
		"Brass Compass Surveying PC",
		person{"Winston", "Aldercott"},
		"brasscompass.example", "(207) 555-0110", "website", 38_000, 23, lead.StatusQUALIFIED, "", !small,
	},
	{
		"Gristmill Pizza Company LLC",
		person{"Dario", "Santangelo"},
		"gristmillpizza.example", "(315) 555-0175", "cold call", 22_000, 27, lead.StatusQUALIFIED, "", !small,
	},
	{
		"Lakeshore Claims Billing LLC",
		person{"Teresa", "Kowalenko"},
		"lakeshore.example", "(219) 555-0140", "broker", 50_000, 24, lead.StatusCONVERTED, "", small,
	},
	{
		"Broad Street Barbers LLC",
		person{"Cornell", "Whitbeck"},
		"broad-street.example", "(302) 555-0138", "website", 12_500, 70, lead.StatusCONVERTED, "", !small,
	},
	{
		"Juniper Point Cafe LLC",
		person{"Elena", "Archuleta"},
		"juniper-point.example", "(505) 555-0123", "referral", 15_000, 41, lead.StatusCONVERTED, "", !small,
	},
	{
		"Maple & Vine Catering LLC",
		person{"Ingrid", "Halvorsdale"},
		"maple-and-vine.example", "(608) 555-0132", "trade show", 35_000, 66, lead.StatusCONVERTED, "", !small,
	},
	{
		"Summit Trail Physical Therapy PC",
		person{"Bridget", "Oshiro"},
		"summit-trail.example", "(970) 555-0137", "broker", 45_000, 57, lead.StatusCONVERTED, "", !small,
	},
	{
		"Weatherly Crab Shack LLC",
		person{"Everett", "Tilghurst"},
		"crab-shack.example", "(410) 555-0141", "website", 25_000, 222, lead.StatusCONVERTED, "", !small,
	},
	{
		"Fern Hollow Nursery LLC",
		person{"Willa", "Brandvold"},
		"fern-hollow.example", "(541) 555-0134", "referral", 30_000, 168, lead.StatusCONVERTED, "", !small,
	},
	{
		"Anchor Point Boatworks Inc",
		person{"Soren", "Kjelgaard"},
		"anchor-point.example", "(253) 555-0133", "broker", 100_000, 141, lead.StatusCONVERTED, "", !small,
	},
	{
		"Cheshire Lane Pawn LLC",
		person{"Rodney", "Stickland"},
		"cheshirepawn.example", "(615) 555-0166",
		"cold call", 20_000, 55, lead.StatusDEAD, "A trade we do not finance.", small,
	},
	{
		"Zephyr Vape & Novelty LLC",
		person{"Cody", "Marsden"},
		"zephyrvape.example", "(702) 555-0198",
		"website", 15_000, 80, lead.StatusDEAD, "A trade we do not finance.", !small,
	},
	{
		"Fallow Field Hemp Company LLC",
		person{"Juno", "Whitlatch"},
		"fallowhemp.example", "(970) 555-0152", "website", 60_000, 102, lead.StatusDEAD, "", !small,
	},
	{
		"Coppersmith Row Antiques LLC",
		person{"Edith", "Vanterpool"},
		"coppersmithrow.example", "(860) 555-0119", "referral", 18_000, 131, lead.StatusDEAD, "Took a bank loan.", !small,
	},
	{
		"North Ferry Boat Tours Inc",
		person{"Gil", "Abramsen"},
		"northferry.example", "(906) 555-0115",
		"broker", 70_000, 160, lead.StatusDEAD, "No answer after five calls.", !small,
	},
	{
		"Quick Fox Print & Ship LLC",
		person{"Delphine", "Okoye"},
		"quickfox.example", "(919) 555-0127", "website", 10_000, 210, lead.StatusDEAD, "Open for four months only.", !small,
	},
}

var beaconLeads = []enquiry{
	{
		"Tall Pine Millwork LLC",
		person{"Russ", "Eckhardt"},
		"tallpine.example", "(207) 555-0181", "website", 55_000, 1, lead.StatusNEW, "", small,
	},
	{
		"Saffron Table Catering LLC",
		person{"Nasrin", "Kazemi"},
		"saffrontable.example", "(818) 555-0147", "broker", 30_000, 2, lead.StatusNEW, "", !small,
	},
	{
		"Mudlark Pottery Studio LLC",
		person{"Joss", "Pembrook"},
		"mudlarkpottery.example", "(828) 555-0107", "website", 9_000, 4, lead.StatusNEW, "", !small,
	},
	{
		"Glasswing Eye Care PLLC",
		person{"Renata", "Kowalczyk"},
		"glasswingeye.example", "(312) 555-0178", "referral", 85_000, 5, lead.StatusCONTACTED, "", !small,
	},
	{
		"Switchyard Coffee Roasters LLC",
		person{"Damon", "Leavitt"},
		"switchyardcoffee.example", "(206) 555-0162", "website", 40_000, 8, lead.StatusCONTACTED, "Prefers email.", !small,
	},
	{
		"Old Corral Feed & Saddle Inc",
		person{"Wanda", "Trujeque"},
		"oldcorral.example", "(575) 555-0129", "trade show", 35_000, 13, lead.StatusCONTACTED, "", !small,
	},
	{
		"Birchbark Canoe Company LLC",
		person{"Arlo", "Wendelin"},
		"birchbark.example", "(218) 555-0153", "broker", 48_000, 10, lead.StatusQUALIFIED, "Statements received.", !small,
	},
	{
		"Lamplight Senior Care Inc",
		person{"Yolanda", "Pettiford"},
		"lamplightcare.example", "(336) 555-0171", "cold call", 95_000, 18, lead.StatusQUALIFIED, "", small,
	},
	{
		"Harborlight Seafood Market LLC",
		person{"Fiona", "Amaralto"},
		"harborlight.example", "(978) 555-0142", "broker", 45_000, 21, lead.StatusCONVERTED, "", small,
	},
	{
		"Peachtree Lane Boutique LLC",
		person{"Simone", "Attaway"},
		"peachtree-lane.example", "(404) 555-0152", "website", 20_000, 17, lead.StatusCONVERTED, "", !small,
	},
	{
		"Orange Grove Preschool LLC",
		person{"Amparo", "Villaseca"},
		"orange-grove.example", "(559) 555-0155", "referral", 90_000, 38, lead.StatusCONVERTED, "", !small,
	},
	{
		"Bayou Bright Cleaning LLC",
		person{"Yvette", "Robichaux"},
		"bayou-bright.example", "(504) 555-0154", "broker", 30_000, 27, lead.StatusCONVERTED, "", !small,
	},
	{
		"Copperhead Fence Company LLC",
		person{"Buck", "Ransome"},
		"copperheadfence.example", "(256) 555-0135",
		"website", 25_000, 44, lead.StatusDEAD, "Will not share statements.", !small,
	},
	{
		"Nimbus Drone Imaging LLC",
		person{"Priscilla", "Yuen"},
		"nimbusdrone.example", "(408) 555-0116", "website", 15_000, 61, lead.StatusDEAD, "", !small,
	},
}
