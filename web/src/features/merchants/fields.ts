import { useQuery } from "@tanstack/react-query";
import type { FormField } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import { MerchantStatusOptionsDocument } from "../../gql/documents";

const merchantFields: FormField[] = [
  { name: "legalName", label: "Legal name", required: true },
  { name: "dbaName", label: "DBA", hint: "If different from the legal name" },
  { name: "federalId", label: "EIN", hint: "Nine digits; the hyphen is optional" },
  { name: "businessType", label: "Entity type" },
  { name: "industry", label: "Industry" },
  { name: "startedOn", label: "In business since", kind: "date" },
  { name: "annualRevenue", label: "Annual revenue", kind: "money" },
  { name: "stateOfIncorporation", label: "State of incorporation" },
  { name: "phone", label: "Phone" },
  { name: "email", label: "Email", kind: "email" },
  { name: "website", label: "Website" },
  { name: "referenceId", label: "Reference ID" },
  { name: "externalSource", label: "External source", hint: "System the record came from" },
  { name: "externalRef", label: "External reference", hint: "Its ID in that system" },
  { name: "addressLine1", label: "Address" },
  { name: "addressLine2", label: "Address line 2" },
  { name: "city", label: "City" },
  { name: "state", label: "State", hint: "Principal place of business" },
  { name: "postalCode", label: "ZIP code" },
  { name: "naicsCode", label: "NAICS code" },
  { name: "sicCode", label: "SIC code" },
  { name: "homeBased", label: "Home-based", kind: "switch" },
  { name: "eCommerce", label: "E-commerce", kind: "switch" },
];

/** Returns the company's merchant statuses, in order. */
export function useMerchantStatuses() {
  const result = useQuery(graphQuery(MerchantStatusOptionsDocument, {}));
  return result.data?.merchantStatuses ?? [];
}

/** The fields of a merchant's form. The current status stays an option, even if it is no longer in use. */
export function useMerchantFields(statusId?: string | null): FormField[] {
  const options = useMerchantStatuses()
    .filter((s) => s.isActive || s.id === statusId)
    .map((s) => ({ value: s.id, label: s.name }));
  return [...merchantFields, { name: "merchantStatusId", label: "Status", kind: "choice", options }];
}
