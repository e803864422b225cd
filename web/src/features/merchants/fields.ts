import { useQuery } from "@tanstack/react-query";
import type { FormField } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import { MerchantStatusesDocument } from "../../gql/documents";

const merchantFields: FormField[] = [
  { name: "legalName", label: "Registered name", required: true },
  { name: "dbaName", label: "Trade name", hint: "Where it differs" },
  { name: "federalId", label: "EIN", hint: "Nine digits; the hyphen is optional" },
  { name: "businessType", label: "Legal form" },
  { name: "industry", label: "Industry" },
  { name: "startedOn", label: "In business since", kind: "date" },
  { name: "annualRevenue", label: "Annual revenue", kind: "money" },
  { name: "stateOfIncorporation", label: "State of incorporation" },
  { name: "phone", label: "Phone" },
  { name: "email", label: "E-mail", kind: "email" },
  { name: "website", label: "Website" },
  { name: "referenceId", label: "Own reference" },
  { name: "externalSource", label: "External source", hint: "The other system it came from" },
  { name: "externalRef", label: "External reference", hint: "Its ID in that system" },
  { name: "addressLine1", label: "Address" },
  { name: "addressLine2", label: "Address, second line" },
  { name: "city", label: "City" },
  { name: "state", label: "State", hint: "Of the principal place of business" },
  { name: "postalCode", label: "Postal code" },
  { name: "naicsCode", label: "NAICS code" },
  { name: "sicCode", label: "SIC code" },
  { name: "homeBased", label: "Run from a home", kind: "switch" },
  { name: "eCommerce", label: "Sells on line", kind: "switch" },
];

/** useMerchantStatuses are the company's labels for merchants, in their order. */
export function useMerchantStatuses() {
  const result = useQuery(graphQuery(MerchantStatusesDocument, {}));
  return result.data?.merchantStatuses ?? [];
}

/** useMerchantFields are the fields of a merchant's form. A status that is not in use any more stays with who has it. */
export function useMerchantFields(statusId?: string | null): FormField[] {
  const options = useMerchantStatuses()
    .filter((s) => s.isActive || s.id === statusId)
    .map((s) => ({ value: s.id, label: s.name }));
  return [...merchantFields, { name: "merchantStatusId", label: "Status", kind: "choice", options }];
}
