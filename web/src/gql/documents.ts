// Generated from src/gql/screens by codegen.mjs (run `make generate`). Do not edit.
import { typed } from "./typed";

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ApiKeyKind =
  | 'LIVE'
  | 'TEST';

/** Input for a new key. */
export type NewApiKey = {
  name: string;
  purpose?: string | null | undefined;
  /** LIVE for production data, TEST for the sandbox */
  kind: ApiKeyKind;
  /** RESOURCE:read, RESOURCE:write or *:read; write implies read */
  scopes: Array<string>;
  /** 30, 90 or 365; absent or null means that it does not expire */
  expiresDays?: number | null | undefined;
  /** IPv4 or IPv6 addresses and IPv4 ranges that it may be used from; empty means any */
  ipAllowList?: Array<string> | null | undefined;
};

/** Changes of a key. Absent fields are unchanged. */
export type UpdateApiKey = {
  name?: string | null | undefined;
  purpose?: string | null | undefined;
  /** RESOURCE:read, RESOURCE:write or *:read; write implies read */
  scopes?: Array<string> | null | undefined;
  /** IPv4 or IPv6 addresses and IPv4 ranges that it may be used from; empty means any */
  ipAllowList?: Array<string> | null | undefined;
};

export type ApplicationSubmissionFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only applications of this status */
  status?: ApplicationSubmissionStatus | null | undefined;
  /** Only applications of this form */
  formId?: string | null | undefined;
};

export type ApplicationSubmissionSort = {
  field: ApplicationSubmissionSortField;
  direction?: SortDirection;
};

export type ApplicationSubmissionSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'STATUS';

export type ApplicationSubmissionStatus =
  | 'RECEIVED'
  | 'REVIEWED'
  | 'CONVERTED'
  | 'SPAM';

/**
 * Input for a new form. Each field has a name, a label, a type (text, notes, email, tel, url, state, zip, ein, money,
 * number, date, choice or checkbox) and whether it is required; a choice has options. mapsTo lists the fields of a lead or a
 * merchant that are set to the answer: "lead.businessName", "merchant.legalName".
 */
export type NewForm = {
  name: string;
  /** The form's name in its page's URL */
  slug: string;
  /** The questions, in order: [{name, label, type, required, help, options, mapsTo}] */
  fields: unknown;
  /** Whether it accepts applications; default: true */
  isActive?: boolean | null | undefined;
};

/** Changes of a form. Absent fields are unchanged. */
export type UpdateForm = {
  name?: string | null | undefined;
  /** The form's name in its page's URL */
  slug?: string | null | undefined;
  /** The questions, in order: [{name, label, type, required, help, options, mapsTo}] */
  fields?: unknown;
  /** Whether it accepts applications */
  isActive?: boolean | null | undefined;
};

/** A filled-in application form. */
export type NewApplication = {
  formId: string;
  /** The answers, by the names of the form's fields */
  payload: unknown;
};

/** What to create from an application besides a lead. */
export type ConvertApplication = {
  /** Whether to create a merchant too; implied by merchantId and deal; default: false */
  merchant?: boolean | null | undefined;
  /** The existing merchant, if there is one */
  merchantId?: string | null | undefined;
  /** Whether to create a deal; default: false */
  deal?: boolean | null | undefined;
  /** Product of the deal; default: MCA */
  productType?: DealProduct | null | undefined;
};

/** Input for a new offer. */
export type NewApproval = {
  /** Submission of the offer */
  submissionId: string;
  /** Amount funded, before fees */
  fundedAmount?: string | null | undefined;
  /** Amount to collect. Computed from fundedAmount and factorRate */
  paybackAmount?: string | null | undefined;
  /** paybackAmount ÷ fundedAmount, 1 to 2.5 */
  factorRate?: string | null | undefined;
  /** Calendar days from funding to the last payment */
  termDays?: number | null | undefined;
  /** Bank fee, in percent of fundedAmount */
  bankFeePercent?: string | null | undefined;
  /** What the merchant saves by paying off early */
  epoDiscount?: string | null | undefined;
  /** Expiry; default: 14 days after it is sent */
  expiresAt?: string | null | undefined;
  /** Free text, for staff */
  notes?: string | null | undefined;
};

/** Changes of a draft. Absent fields are unchanged; null clears an optional field. */
export type UpdateApproval = {
  /** Amount funded, before fees */
  fundedAmount?: string | null | undefined;
  /** Amount to collect. Computed from fundedAmount and factorRate */
  paybackAmount?: string | null | undefined;
  /** paybackAmount ÷ fundedAmount, 1 to 2.5 */
  factorRate?: string | null | undefined;
  /** Calendar days from funding to the last payment */
  termDays?: number | null | undefined;
  /** Bank fee, in percent of fundedAmount */
  bankFeePercent?: string | null | undefined;
  /** What the merchant saves by paying off early */
  epoDiscount?: string | null | undefined;
  /** Expiry; default: 14 days after it is sent */
  expiresAt?: string | null | undefined;
  /** Free text, for staff */
  notes?: string | null | undefined;
};

/** Terms that the merchant requests instead of those offered; absent terms stay as offered. */
export type CounterOffer = {
  /** Requested amount */
  counterAmount?: string | null | undefined;
  /** Factor rate, 1 to 2.5 */
  counterFactor?: string | null | undefined;
  counterTermDays?: number | null | undefined;
  /** Bank fee, in percent of the amount */
  counterBankFeePercent?: string | null | undefined;
  /** In the merchant's words */
  counterNote?: string | null | undefined;
};

export type DealOfferState =
  | 'DRAFT'
  | 'SENT'
  | 'ACCEPTED'
  | 'COUNTERED'
  | 'DECLINED'
  | 'VOID'
  | 'EXPIRED';

export type AuditEntryFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only entries of this kind of record: deal, payment … */
  entity?: string | null | undefined;
  /** Only entries of records with this id, of any kind */
  entityId?: string | null | undefined;
  /** Only entries that concern this deal */
  dealId?: string | null | undefined;
  /** Only entries of this action: deal.update … */
  action?: string | null | undefined;
  /** Only changes by a KEY, USER, OPERATOR or the SYSTEM */
  actorKind?: string | null | undefined;
  /** Only changes by the key or member of staff with this id */
  actorId?: string | null | undefined;
  /** Only changes through this surface: REST, GRAPHQL, CLI … */
  surface?: string | null | undefined;
  /** Only entries of this request */
  requestId?: string | null | undefined;
};

export type AuditEntrySort = {
  field: AuditEntrySortField;
  direction?: SortDirection;
};

export type AuditEntrySortField =
  | 'ID';

/** Input for a new bank account. */
export type NewBankAccount = {
  merchantId: string;
  /** The merchant's deal that it is for; default: all deals */
  dealId?: string | null | undefined;
  /** Name of the account holder */
  holderName: string;
  bankName?: string | null | undefined;
  /** Nine-digit ABA routing number */
  routingNumber: string;
  /** 4 to 17 digits; stored encrypted and never shown again */
  accountNumber: string;
  /** Default: CHECKING */
  accountType?: BankAccountTokenAccountType | null | undefined;
};

export type BankAccountTokenAccountType =
  | 'CHECKING'
  | 'SAVINGS';

export type BankAccountTokenStatus =
  | 'UNVERIFIED'
  | 'VERIFIED'
  | 'REVOKED';

export type PaymentHoldReason =
  /** Until another bank account is verified */
  | 'ACCOUNT'
  /** Until a new authorization is recorded */
  | 'AUTHORIZATION'
  /** Until a legal question is resolved */
  | 'LEGAL'
  /** Until the merchant consents to further debits */
  | 'CONSENT'
  /** Too many returns for insufficient funds: until staff resume */
  | 'RETURNS'
  /** Placed by staff */
  | 'STAFF';

/** Input for a hold placed by staff. */
export type NewCollectionHold = {
  /** Deal, which must be FUNDED or DEFAULTED */
  dealId: string;
  /** Reason */
  note: string;
  /** When it ends by itself; default: only when released */
  until?: string | null | undefined;
};

export type PaymentReturnRateKind =
  | 'UNAUTHORIZED'
  | 'ADMINISTRATIVE'
  | 'OVERALL';

export type PaymentReturnRateLevel =
  | 'OK'
  /** At least 80 percent of the limit */
  | 'WARNING'
  | 'EXCEEDED';

export type SortDirection =
  | 'ASC'
  | 'DESC';

export type CommunicationChannel =
  | 'CALL'
  | 'SMS';

export type CommunicationDirection =
  | 'INBOUND'
  | 'OUTBOUND';

/** Input for a call or a text message. */
export type NewCommunication = {
  channel: CommunicationChannel;
  direction: CommunicationDirection;
  /** Merchant; default: the deal's */
  merchantId?: string | null | undefined;
  /** Deal */
  dealId?: string | null | undefined;
  /** Caller's number */
  fromAddr?: string | null | undefined;
  /** Called number */
  toAddr?: string | null | undefined;
  /** Text of the message, or notes on the call */
  body?: string | null | undefined;
  /** URL of the recording */
  recordingUrl?: string | null | undefined;
  /** Duration of the call in seconds */
  durationSec?: number | null | undefined;
  /** Outcome of the call */
  dispositionReasonId?: string | null | undefined;
  /** Date and time; default: now */
  occurredAt?: string | null | undefined;
};

/** Changes of a call. */
export type UpdateCommunication = {
  /** Outcome of the call */
  dispositionReasonId?: string | null | undefined;
};

export type NewDispositionReason = {
  /** Permanent code: capitals, digits and underscores */
  code: string;
  name: string;
  /** Its position in the list; default: 0 */
  position?: number | null | undefined;
  /** Whether it is active; default: true */
  isActive?: boolean | null | undefined;
};

/** Changes of an outcome of calls. Absent fields are unchanged. */
export type UpdateDispositionReason = {
  name?: string | null | undefined;
  /** Its position in the list */
  position?: number | null | undefined;
  /** Whether it is active */
  isActive?: boolean | null | undefined;
};

/** Changes of the company. Absent fields are unchanged. */
export type UpdateCompany = {
  name?: string | null | undefined;
  /** IANA name, such as America/New_York */
  timeZone?: string | null | undefined;
};

/** Input for a new contact of a merchant. A primary contact replaces the present one. */
export type NewMerchantContact = {
  merchantId: string;
  firstName: string;
  lastName: string;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  title?: string | null | undefined;
  /** Social security number; stored encrypted, and only the last four digits are ever shown */
  ssn?: string | null | undefined;
  /** Ownership, in percent */
  ownershipPct?: string | null | undefined;
  /** Guarantees the advance; default: false */
  isGuarantor?: boolean | null | undefined;
  /** Whether it is the primary contact, of which a merchant has at most one; default: false */
  isPrimary?: boolean | null | undefined;
};

/** Changes of a contact. Absent fields are unchanged; null clears an optional field. */
export type UpdateMerchantContact = {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  title?: string | null | undefined;
  /** Social security number; stored encrypted, and only the last four digits are ever shown */
  ssn?: string | null | undefined;
  /** Ownership, in percent */
  ownershipPct?: string | null | undefined;
  /** Guarantees the advance; default: false */
  isGuarantor?: boolean | null | undefined;
  /** Whether it is the primary contact, of which a merchant has at most one; default: false */
  isPrimary?: boolean | null | undefined;
};

/** Input for the payoff of a deal. */
export type DealPayoff = {
  /** Day the money cleared; default: today. More than five banking days back requires the permission deals.write-off */
  date?: string | null | undefined;
  /** Not OFFSET; default: ACH */
  method?: PaymentMethod | null | undefined;
  /** The caller's reference; the referenceId of the payment */
  reference?: string | null | undefined;
};

export type DealFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  /** Text to search for; case-insensitive */
  q?: string | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only deals in this state */
  state?: DealState | null | undefined;
};

export type DealSort = {
  field: DealSortField;
  direction?: SortDirection;
};

export type DealSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'DEAL_NUMBER'
  | 'STATE'
  | 'FUNDED_AMOUNT'
  | 'PAYBACK_AMOUNT'
  | 'FUNDED_AT'
  | 'FIRST_PAYMENT_DATE';

/** Input for a new deal. */
export type NewDeal = {
  /** Merchant that is funded */
  merchantId: string;
  /** Broker who brought the deal */
  isoId?: string | null | undefined;
  /** Product; default: MCA */
  productType?: DealProduct | null | undefined;
  /** Purchase price: amount funded, before fees */
  fundedAmount?: string | null | undefined;
  /** Purchased amount: amount to collect. Computed from fundedAmount and factorRate */
  paybackAmount?: string | null | undefined;
  /** paybackAmount ÷ fundedAmount, 1 to 2.5 */
  factorRate?: string | null | undefined;
  /** Factor rate at which the funder sells to the broker */
  buyRate?: string | null | undefined;
  /** Calendar days from funding to the last payment */
  termDays?: number | null | undefined;
  numberOfPayments?: number | null | undefined;
  /** Amount of a periodic payment; the last one is the remainder */
  paymentAmount?: string | null | undefined;
  collectionFrequency?: ScheduleFrequency | null | undefined;
  /** Collection days of a DAILY plan; default: BANKING_DAYS */
  collectionSchedule?: ScheduleRule | null | undefined;
  /** WEEKLY: 1 (Monday) to 5; MONTHLY: 1 to 31; CUSTOM_DAYS: sum of Monday 1, Tuesday 2, Wednesday 4 … Sunday 64 */
  collectionDay?: number | null | undefined;
  /** Earliest collection day; default: the next collection day */
  firstPaymentDate?: string | null | undefined;
  /** Lien position of this advance: 1 is first */
  position?: number | null | undefined;
  /** Percentage of revenue purchased */
  specifiedPercentage?: string | null | undefined;
  /** Unit of commissionValue */
  commissionBasis?: PricingBasis | null | undefined;
  /** If in POINTS, at most (factorRate − buyRate) × 100 */
  commissionValue?: string | null | undefined;
  /** Unit of bankFeeValue */
  bankFeeBasis?: PricingBasis | null | undefined;
  /** If in POINTS, at most (factorRate − buyRate) × 100 */
  bankFeeValue?: string | null | undefined;
  applicationFee?: string | null | undefined;
  wireFee?: string | null | undefined;
  /** Assessed when the deal defaults */
  defaultSurcharge?: string | null | undefined;
  /** Factor rate of an early payoff within epoWindowDays */
  epoFactorRate?: string | null | undefined;
  epoWindowDays?: number | null | undefined;
  epoCommissionBasis?: string | null | undefined;
  epoCommissionValue?: string | null | undefined;
  /** When the deal is funded; a date means midnight in the company's time zone. Default on the move to FUNDED: now */
  fundedAt?: string | null | undefined;
  payoffDate?: string | null | undefined;
  /** Funder that funds the deal */
  fundedLenderId?: string | null | undefined;
  /** Funder at inception */
  inceptionLenderId?: string | null | undefined;
  /** Underwriter */
  underwriterId?: string | null | undefined;
  /** Underwriting score */
  uwScore?: number | null | undefined;
  /** Category of the score */
  uwScoreCategory?: UnderwritingCategory | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Commission offer promised to the broker; determines the commission unless that is set. Staff only */
  commissionOfferId?: string | null | undefined;
  /** System that the deal was imported from; externalRef is its id there. Staff only */
  externalSource?: string | null | undefined;
  /** Id in externalSource; must be unique. Staff only */
  externalRef?: string | null | undefined;
};

/** Changes of a deal. Absent fields are unchanged; null clears an optional field. */
export type UpdateDeal = {
  /** Broker who brought the deal */
  isoId?: string | null | undefined;
  /** Product; default: MCA */
  productType?: DealProduct | null | undefined;
  /** Purchase price: amount funded, before fees */
  fundedAmount?: string | null | undefined;
  /** Purchased amount: amount to collect. Computed from fundedAmount and factorRate */
  paybackAmount?: string | null | undefined;
  /** paybackAmount ÷ fundedAmount, 1 to 2.5 */
  factorRate?: string | null | undefined;
  /** Factor rate at which the funder sells to the broker */
  buyRate?: string | null | undefined;
  /** Calendar days from funding to the last payment */
  termDays?: number | null | undefined;
  numberOfPayments?: number | null | undefined;
  /** Amount of a periodic payment; the last one is the remainder */
  paymentAmount?: string | null | undefined;
  collectionFrequency?: ScheduleFrequency | null | undefined;
  /** Collection days of a DAILY plan; default: BANKING_DAYS */
  collectionSchedule?: ScheduleRule | null | undefined;
  /** WEEKLY: 1 (Monday) to 5; MONTHLY: 1 to 31; CUSTOM_DAYS: sum of Monday 1, Tuesday 2, Wednesday 4 … Sunday 64 */
  collectionDay?: number | null | undefined;
  /** Earliest collection day; default: the next collection day */
  firstPaymentDate?: string | null | undefined;
  /** Lien position of this advance: 1 is first */
  position?: number | null | undefined;
  /** Percentage of revenue purchased */
  specifiedPercentage?: string | null | undefined;
  /** Unit of commissionValue */
  commissionBasis?: PricingBasis | null | undefined;
  /** If in POINTS, at most (factorRate − buyRate) × 100 */
  commissionValue?: string | null | undefined;
  /** Unit of bankFeeValue */
  bankFeeBasis?: PricingBasis | null | undefined;
  /** If in POINTS, at most (factorRate − buyRate) × 100 */
  bankFeeValue?: string | null | undefined;
  applicationFee?: string | null | undefined;
  wireFee?: string | null | undefined;
  /** Assessed when the deal defaults */
  defaultSurcharge?: string | null | undefined;
  /** Factor rate of an early payoff within epoWindowDays */
  epoFactorRate?: string | null | undefined;
  epoWindowDays?: number | null | undefined;
  epoCommissionBasis?: string | null | undefined;
  epoCommissionValue?: string | null | undefined;
  /** When the deal is funded; a date means midnight in the company's time zone. Default on the move to FUNDED: now */
  fundedAt?: string | null | undefined;
  payoffDate?: string | null | undefined;
  /** Funder that funds the deal */
  fundedLenderId?: string | null | undefined;
  /** Funder at inception */
  inceptionLenderId?: string | null | undefined;
  /** Underwriter */
  underwriterId?: string | null | undefined;
  /** Underwriting score */
  uwScore?: number | null | undefined;
  /** Category of the score */
  uwScoreCategory?: UnderwritingCategory | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Moves the deal to another state, if the move is allowed and nothing blocks it */
  state?: DealState | null | undefined;
  /** Commission offer promised to the broker; determines the commission unless that is set. Staff only */
  commissionOfferId?: string | null | undefined;
  /** System that the deal was imported from; externalRef is its id there. Staff only */
  externalSource?: string | null | undefined;
  /** Id in externalSource; must be unique. Staff only */
  externalRef?: string | null | undefined;
};

export type DealProduct =
  | 'MCA'
  | 'FACTORING'
  | 'TERM_LOAN'
  | 'LOC'
  | 'SBA'
  | 'EQUIPMENT';

export type DealState =
  | 'INCEPTION'
  | 'SUBMITTED'
  | 'PREFUNDED'
  | 'FUNDED'
  | 'DEFAULTED'
  | 'CLOSED'
  | 'RENEWED'
  | 'WITHDRAWN';

export type PricingBasis =
  | 'PERCENT_OF_FUNDED'
  | 'PERCENT_OF_PAYBACK'
  | 'POINTS'
  | 'FLAT';

export type ScheduleFrequency =
  | 'DAILY'
  | 'WEEKLY'
  | 'MONTHLY';

export type ScheduleRule =
  | 'BANKING_DAYS'
  | 'WEEKDAYS'
  | 'EVERY_DAY'
  | 'CUSTOM_DAYS';

export type UnderwritingCategory =
  | 'A'
  | 'B'
  | 'C';

export type UnderwritingRecommendation =
  | 'approve'
  | 'decline'
  | 'refer';

export type NewUnderwritingPolicy = {
  name: string;
  /** Same format as the current version */
  rules: unknown;
};

export type DisclosureStatus =
  | 'DRAFT'
  | 'DELIVERED'
  | 'SIGNED'
  | 'SUPERSEDED';

export type DisclosureMoment = {
  /** Date and time; default: now */
  at?: string | null | undefined;
};

/** Input for a new credit facility. */
export type NewCreditFacility = {
  /** Priced deal of the product LOC; its funding is the first draw */
  dealId: string;
  /** Maximum outstanding draws */
  creditLimit: string;
  /** Factor rate of draws; default: the deal's */
  factorRate?: string | null | undefined;
  /** Who requested the first draw */
  requestedBy?: string | null | undefined;
};

/** Changes of a line of credit. Absent fields are unchanged. */
export type UpdateCreditFacility = {
  /** Maximum outstanding draws */
  creditLimit?: string | null | undefined;
  /** Factor rate of future draws; null means 1 */
  factorRate?: string | null | undefined;
};

/** Input for a draw. */
export type NewDraw = {
  /** Amount, before the fee */
  amount: string;
  /** Fee withheld */
  feeAmount?: string | null | undefined;
  /** Who requested it */
  requestedBy?: string | null | undefined;
};

/** Input for a repayment of a draw. */
export type DrawRepayment = {
  /** Default: the unpaid amount of the draw */
  amount?: string | null | undefined;
  /** Default: ACH */
  method?: PaymentMethod | null | undefined;
  /** Day the money cleared; default: today */
  clearedDate?: string | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
};

export type CreditFacilityStatus =
  | 'ACTIVE'
  | 'SUSPENDED'
  | 'CLOSED';

export type LocDrawStatus =
  | 'REQUESTED'
  | 'APPROVED'
  | 'FUNDED'
  | 'REPAID'
  | 'DECLINED';

export type WorkQueueTask =
  /** A returned payment without a retry or make-up payment. */
  | 'BOUNCE'
  /** A received stipulation to review. */
  | 'STIPULATION'
  /** An offer that expires within three days. */
  | 'OFFER'
  /** A draw to review. */
  | 'DRAW'
  /** A renewal opportunity to contact. */
  | 'RENEWAL'
  /** A disbursement to send, or a failed one. */
  | 'DISBURSEMENT';

export type PaymentReturnAction =
  | 'RETRY'
  | 'PAUSE'
  | 'NEW_ACCOUNT'
  | 'COLLECTIONS'
  | 'LEGAL'
  | 'REVIEW';

/** Input for an override of a funding block. */
export type NewFundingOverride = {
  /** Code of the funding block */
  code: DealBlockCode;
  /** Reason for the override */
  reason: string;
};

export type DealBlockCode =
  | 'ECONOMICS_INCOMPLETE'
  | 'ECONOMICS_INCONSISTENT'
  | 'NO_ACCEPTED_APPROVAL'
  | 'OFFER_EXPIRED'
  | 'TERMS_DIFFER_FROM_APPROVAL'
  | 'STATEMENT_ALTERED'
  | 'STATEMENT_MISSING_OR_STALE'
  | 'DECISION_DECLINED'
  | 'MERCHANT_DEFAULTED'
  | 'OPEN_POSITION'
  | 'ISO_NOT_ELIGIBLE'
  | 'STIPS_OUTSTANDING'
  /** The merchant has no known state; on if another disclosure block is. */
  | 'DISCLOSURE_STATE_UNKNOWN'
  | 'DISCLOSURE_UNDELIVERED'
  | 'DISCLOSURE_UNSIGNED'
  | 'DISCLOSURE_STALE'
  | 'CONTRACT_UNSIGNED'
  | 'BANK_UNVERIFIED'
  | 'UCC_CONFLICT'
  | 'PARTICIPATION_INVALID';

export type LeadFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  /** Text to search for; case-insensitive */
  q?: string | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only leads of this status */
  status?: LeadStatus | null | undefined;
  /** Only leads of exactly this source */
  source?: string | null | undefined;
};

export type LeadSort = {
  field: LeadSortField;
  direction?: SortDirection;
};

export type LeadSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'BUSINESS_NAME'
  | 'STATUS'
  | 'NEXT_ACTION_AT'
  | 'REQUESTED_AMOUNT';

/** Input for a new lead. */
export type NewLead = {
  /** Business name */
  businessName: string;
  /** Trade name, if different */
  dbaName?: string | null | undefined;
  /** Contact person */
  contactName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  /** Requested amount */
  requestedAmount?: string | null | undefined;
  /** Source of the lead, as the company names it */
  source?: string | null | undefined;
  /** Status of the lead; default on creation: NEW */
  status?: LeadStatus | null | undefined;
  /** Free text */
  notes?: string | null | undefined;
  /** Owner of the lead. Staff only */
  ownerId?: string | null | undefined;
  /** Date of the owner's next action. Staff only */
  nextActionAt?: string | null | undefined;
};

/** Changes of a lead. Absent fields are unchanged; null clears an optional field. */
export type UpdateLead = {
  /** Business name */
  businessName?: string | null | undefined;
  /** Trade name, if different */
  dbaName?: string | null | undefined;
  /** Contact person */
  contactName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  /** Requested amount */
  requestedAmount?: string | null | undefined;
  /** Source of the lead, as the company names it */
  source?: string | null | undefined;
  /** Status of the lead; default on creation: NEW */
  status?: LeadStatus | null | undefined;
  /** Free text */
  notes?: string | null | undefined;
  /** Owner of the lead. Staff only */
  ownerId?: string | null | undefined;
  /** Date of the owner's next action. Staff only */
  nextActionAt?: string | null | undefined;
};

export type LeadStatus =
  | 'NEW'
  | 'CONTACTED'
  | 'QUALIFIED'
  | 'CONVERTED'
  | 'DEAD';

/** Input for converting a lead to a merchant, which gets its names, email address and phone number. */
export type ConvertLead = {
  /** Registered name of a new merchant; default: the lead's businessName */
  legalName?: string | null | undefined;
  /** EIN of a new merchant */
  federalId?: string | null | undefined;
  /** The existing merchant, if there is one */
  merchantId?: string | null | undefined;
  /** Whether to create a deal; default: false */
  deal?: boolean | null | undefined;
  /** Product of the deal; default: MCA */
  productType?: DealProduct | null | undefined;
};

export type LedgerKind =
  | 'FUNDING'
  | 'PARTICIPATION'
  | 'COMMISSION'
  | 'PAYMENT'
  | 'MANAGEMENT_FEE'
  | 'CAF_WITHHOLDING'
  | 'PROFIT_SPLIT'
  | 'RENEWAL'
  | 'PAYOUT'
  | 'CLAWBACK'
  | 'WRITE_OFF'
  | 'RECOVERY'
  | 'WALLET'
  | 'UNAPPLIED'
  | 'DISCOUNT'
  | 'DISBURSEMENT';

export type MerchantFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  /** Text to search for; case-insensitive */
  q?: string | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
};

export type MerchantSort = {
  field: MerchantSortField;
  direction?: SortDirection;
};

export type MerchantSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'LEGAL_NAME'
  | 'DBA_NAME';

/** Input for a new merchant. */
export type NewMerchant = {
  /** Registered name */
  legalName: string;
  /** Trade name, if different */
  dbaName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  website?: string | null | undefined;
  /** EIN: nine digits, with or without hyphen */
  federalId?: string | null | undefined;
  industry?: string | null | undefined;
  naicsCode?: string | null | undefined;
  sicCode?: string | null | undefined;
  /** Legal form */
  businessType?: string | null | undefined;
  /** Start date of the business */
  startedOn?: string | null | undefined;
  stateOfIncorporation?: string | null | undefined;
  annualRevenue?: string | null | undefined;
  addressLine1?: string | null | undefined;
  addressLine2?: string | null | undefined;
  city?: string | null | undefined;
  /** State of the principal place of business */
  state?: string | null | undefined;
  postalCode?: string | null | undefined;
  /** Run from a home; default: false */
  homeBased?: boolean | null | undefined;
  /** Sells online; default: false */
  eCommerce?: boolean | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Label defined by the company; see merchantStatuses. Staff only */
  merchantStatusId?: string | null | undefined;
  /** System that the merchant was imported from; externalRef is its id there. Staff only */
  externalSource?: string | null | undefined;
  /** Id in externalSource; must be unique. Staff only */
  externalRef?: string | null | undefined;
};

/** Changes of a merchant. Absent fields are unchanged; null clears an optional field. */
export type UpdateMerchant = {
  /** Registered name */
  legalName?: string | null | undefined;
  /** Trade name, if different */
  dbaName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  website?: string | null | undefined;
  /** EIN: nine digits, with or without hyphen */
  federalId?: string | null | undefined;
  industry?: string | null | undefined;
  naicsCode?: string | null | undefined;
  sicCode?: string | null | undefined;
  /** Legal form */
  businessType?: string | null | undefined;
  /** Start date of the business */
  startedOn?: string | null | undefined;
  stateOfIncorporation?: string | null | undefined;
  annualRevenue?: string | null | undefined;
  addressLine1?: string | null | undefined;
  addressLine2?: string | null | undefined;
  city?: string | null | undefined;
  /** State of the principal place of business */
  state?: string | null | undefined;
  postalCode?: string | null | undefined;
  /** Run from a home; default: false */
  homeBased?: boolean | null | undefined;
  /** Sells online; default: false */
  eCommerce?: boolean | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Label defined by the company; see merchantStatuses. Staff only */
  merchantStatusId?: string | null | undefined;
  /** System that the merchant was imported from; externalRef is its id there. Staff only */
  externalSource?: string | null | undefined;
  /** Id in externalSource; must be unique. Staff only */
  externalRef?: string | null | undefined;
};

export type PaymentReturnClass =
  | 'ADMINISTRATIVE'
  | 'UNAUTHORIZED'
  | 'OTHER';

/** Changes of a return code. Absent fields are unchanged. */
export type UpdateBounceCode = {
  title?: string | null | undefined;
  /** Required action for further collection */
  action?: PaymentReturnAction | null | undefined;
  /** Whether the debit may be retried */
  retryable?: boolean | null | undefined;
  /** Fee owed for the return; null means none */
  fee?: string | null | undefined;
  isActive?: boolean | null | undefined;
};

/** Input for the status of a disbursement. */
export type DisbursementMove = {
  status: DisbursementStatus;
  /** Transfer id at the bank or processor */
  externalTransferId?: string | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Required for FAILED */
  failureReason?: string | null | undefined;
  /** Payment method */
  method?: PaymentMethod | null | undefined;
};

export type DisbursementStatus =
  | 'PENDING'
  | 'SENT'
  | 'SETTLED'
  | 'FAILED'
  | 'CANCELLED';

/** Input for a new note on exactly one record. */
export type NewNote = {
  leadId?: string | null | undefined;
  merchantId?: string | null | undefined;
  dealId?: string | null | undefined;
  submissionId?: string | null | undefined;
  body: string;
  /** Whether it is pinned; default: false */
  isPinned?: boolean | null | undefined;
};

/** Changes of a note. Absent fields are unchanged. */
export type UpdateNote = {
  body?: string | null | undefined;
  isPinned?: boolean | null | undefined;
};

export type NotificationFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only unread ones, or only read ones */
  unread?: boolean | null | undefined;
};

export type NotificationSort = {
  field: NotificationSortField;
  direction?: SortDirection;
};

export type NotificationSortField =
  | 'ID';

/** Input for a new participation; default terms are the syndicator's. */
export type NewParticipation = {
  /** Deal, which must be priced */
  dealId: string;
  syndicatorId: string;
  /** Percent of the deal */
  percent: string;
  managementFeeBasis?: SyndicatorManagementFeeBasis | null | undefined;
  managementFeePercent?: string | null | undefined;
  cafRecognition?: SyndicatorCafRecognition | null | undefined;
  profitAccrual?: SyndicatorProfitAccrual | null | undefined;
  profitSplitPercent?: string | null | undefined;
  participatesInBankFee?: boolean | null | undefined;
  frontsCommission?: boolean | null | undefined;
  lossProtected?: boolean | null | undefined;
};

/** Changes of a participation. Absent fields are unchanged; null clears an optional field. */
export type UpdateParticipation = {
  /** Percent of the deal */
  percent?: string | null | undefined;
  managementFeeBasis?: SyndicatorManagementFeeBasis | null | undefined;
  managementFeePercent?: string | null | undefined;
  cafRecognition?: SyndicatorCafRecognition | null | undefined;
  profitAccrual?: SyndicatorProfitAccrual | null | undefined;
  profitSplitPercent?: string | null | undefined;
  participatesInBankFee?: boolean | null | undefined;
  frontsCommission?: boolean | null | undefined;
  lossProtected?: boolean | null | undefined;
};

export type PaymentFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only payments on this deal */
  dealId?: string | null | undefined;
  /** Only payments of this status */
  status?: PaymentStatus | null | undefined;
  /** Only payments of this type */
  type?: PaymentType | null | undefined;
  /** Only payments scheduled on or after this day */
  scheduledSince?: string | null | undefined;
};

export type PaymentSort = {
  field: PaymentSortField;
  direction?: SortDirection;
};

export type PaymentSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'AMOUNT'
  | 'STATUS'
  | 'SCHEDULED_DATE'
  | 'CLEARED_DATE';

/** Input for a make-up payment. */
export type MakeUp = {
  /** Not before today; default: the collection day after the last scheduled one, but no later than a debit may be repeated */
  scheduledDate?: string | null | undefined;
  /** Not OFFSET; default: ACH */
  method?: PaymentMethod | null | undefined;
};

/** Input for a retry. */
export type RetryPayment = {
  /** A banking day, not before today; default: the next one */
  scheduledDate?: string | null | undefined;
};

/** Input for a new payment. */
export type NewPayment = {
  /** Deal */
  dealId: string;
  type: PaymentType;
  /** Negative only for an adjustment */
  amount: string;
  /** Status; PAID posts it to the ledger */
  status?: PaymentStatus | null | undefined;
  method?: PaymentMethod | null | undefined;
  /** Account of the chart */
  accountId?: string | null | undefined;
  /** Required for participation payouts */
  syndicatorId?: string | null | undefined;
  /** Nacha return code */
  bounceCodeId?: string | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  note?: string | null | undefined;
};

/** Changes of a payment. Absent fields are unchanged; null clears an optional field. */
export type UpdatePayment = {
  type?: PaymentType | null | undefined;
  /** Negative only for an adjustment */
  amount?: string | null | undefined;
  /** Status; PAID posts it to the ledger */
  status?: PaymentStatus | null | undefined;
  method?: PaymentMethod | null | undefined;
  /** Account of the chart */
  accountId?: string | null | undefined;
  /** Required for participation payouts */
  syndicatorId?: string | null | undefined;
  /** Nacha return code */
  bounceCodeId?: string | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  note?: string | null | undefined;
  /** Day the money cleared; default: the day it became PAID */
  clearedDate?: string | null | undefined;
  /** Make-up payment or retry of this returned payment */
  madeUpById?: string | null | undefined;
};

export type PaymentDirection =
  | 'IN'
  | 'OUT';

export type PaymentMethod =
  | 'ACH'
  | 'WIRE'
  | 'CHECK'
  | 'CASH'
  | 'OTHER'
  | 'OFFSET';

export type PaymentStatus =
  | 'PENDING'
  | 'SUBMITTED'
  | 'PAID'
  | 'BOUNCED'
  | 'CANCELLED';

export type PaymentType =
  | 'ORIGINAL_ADVANCE_PAYBACK'
  | 'ADVANCE_PAYBACK'
  | 'ADVANCE_PAYBACK_ADJUSTMENT'
  | 'PARTICIPATION_PAYOUT'
  | 'PARTICIPATION_PAYOUT_ADJUSTMENT'
  | 'BOUNCE_FEE'
  | 'WIRE_FEE'
  | 'UCC_FEE'
  | 'APPLICATION_FEE'
  | 'OTHER_FEE'
  | 'EPO_DISCOUNT'
  | 'RENEWAL_PAYOFF';

export type PayoutBatchFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only batches of this kind */
  kind?: PayoutBatchKind | null | undefined;
  /** Only batches of this status */
  status?: PayoutBatchStatus | null | undefined;
};

export type PayoutBatchSort = {
  field: PayoutBatchSortField;
  direction?: SortDirection;
};

export type PayoutBatchSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'PERIOD_FROM'
  | 'PERIOD_TO';

export type PayoutItemFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only items of this status */
  status?: PayoutItemStatus | null | undefined;
};

export type PayoutItemSort = {
  field: PayoutItemSortField;
  direction?: SortDirection;
};

export type PayoutItemSortField =
  | 'ID';

/** Input for a new batch. */
export type NewPayoutBatch = {
  kind: PayoutBatchKind;
  /** First day of the period */
  periodFrom: string;
  /** Last day of the period */
  periodTo: string;
};

export type PayoutBatchKind =
  | 'COMMISSION'
  | 'PARTICIPATION';

export type PayoutBatchStatus =
  | 'DRAFT'
  | 'APPROVED'
  | 'PAID'
  | 'PARTIAL';

export type PayoutItemStatus =
  | 'PENDING'
  | 'PAID'
  | 'HELD'
  | 'FAILED'
  /** Its payment was returned before it was paid out */
  | 'CANCELLED'
  | 'CLAWED_BACK';

/** Input for a new submission. */
export type NewSubmission = {
  /** Deal to submit */
  dealId: string;
  /** Funder to submit to */
  funderId: string;
  /** Underwriter */
  underwriterId?: string | null | undefined;
  /** Assigned member of staff */
  assignedToId?: string | null | undefined;
  /** Delegate */
  delegatedToId?: string | null | undefined;
};

/** Input for moving a submission. */
export type MoveSubmission = {
  /** Status of the pipeline */
  statusId: string;
  /** Reason of the decline; required for a status of the category DECLINED, and only for that */
  declineReasonId?: string | null | undefined;
};

/** Input for a new status of the pipeline. */
export type NewSubmissionStatus = {
  /** Permanent code in rules and events */
  code: string;
  /** What the status means to the product; never changes */
  category: DealSubmissionCategory;
  name: string;
  /** Its position; default: last */
  position?: number | null | undefined;
  /** Whether it is active; default: true */
  isActive?: boolean | null | undefined;
};

/** Changes of a status of the pipeline. Absent fields are unchanged. */
export type UpdateSubmissionStatus = {
  name?: string | null | undefined;
  position?: number | null | undefined;
  /** Whether it is active */
  isActive?: boolean | null | undefined;
};

/** Input for a new reason to decline. */
export type NewDeclineReason = {
  /** Permanent code in rules */
  code: string;
  name: string;
  /** Its position; default: last */
  position?: number | null | undefined;
  /** Whether it is active; default: true */
  isActive?: boolean | null | undefined;
};

/** Changes of a reason to decline. Absent fields are unchanged. */
export type UpdateDeclineReason = {
  name?: string | null | undefined;
  position?: number | null | undefined;
  /** Whether it is active */
  isActive?: boolean | null | undefined;
};

/** Changed terms for a quote. Absent fields are the deal's; null means that the term is computed from the others. */
export type QuoteTerms = {
  fundedAmount?: string | null | undefined;
  paybackAmount?: string | null | undefined;
  /** paybackAmount ÷ fundedAmount, 1 to 2.5 */
  factorRate?: string | null | undefined;
  buyRate?: string | null | undefined;
  /** Calendar days from funding to the last payment */
  termDays?: number | null | undefined;
  numberOfPayments?: number | null | undefined;
  paymentAmount?: string | null | undefined;
  collectionFrequency?: ScheduleFrequency | null | undefined;
  collectionSchedule?: ScheduleRule | null | undefined;
  /** As in a deal */
  collectionDay?: number | null | undefined;
  /** Percent of revenue */
  specifiedPercentage?: string | null | undefined;
  commissionBasis?: PricingBasis | null | undefined;
  commissionValue?: string | null | undefined;
  bankFeeBasis?: PricingBasis | null | undefined;
  bankFeeValue?: string | null | undefined;
  applicationFee?: string | null | undefined;
  wireFee?: string | null | undefined;
  /** Commission offer promised to the broker; determines the commission unless that is set */
  commissionOfferId?: string | null | undefined;
};

export type RenewalOpportunityFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only opportunities of this status */
  status?: RenewalOpportunityStatus | null | undefined;
};

export type RenewalOpportunitySort = {
  field: RenewalOpportunitySortField;
  direction?: SortDirection;
};

export type RenewalOpportunitySortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'PAID_DOWN_PCT'
  | 'OUTSTANDING';

export type RenewalOpportunityStatus =
  | 'ELIGIBLE'
  | 'CONTACTED'
  | 'RENEWED'
  | 'DISMISSED';

/** The terms of a renewal. Its merchant is the renewed deal's. */
export type RenewalTerms = {
  /** Broker who brought the deal */
  isoId?: string | null | undefined;
  /** Product; default: that of the renewed deal */
  productType?: DealProduct | null | undefined;
  /** Purchase price: amount funded, before fees */
  fundedAmount?: string | null | undefined;
  /** Purchased amount: amount to collect. Computed from fundedAmount and factorRate */
  paybackAmount?: string | null | undefined;
  /** paybackAmount ÷ fundedAmount, 1 to 2.5 */
  factorRate?: string | null | undefined;
  /** Factor rate at which the funder sells to the broker */
  buyRate?: string | null | undefined;
  /** Calendar days from funding to the last payment */
  termDays?: number | null | undefined;
  numberOfPayments?: number | null | undefined;
  /** Amount of a periodic payment; the last one is the remainder */
  paymentAmount?: string | null | undefined;
  collectionFrequency?: ScheduleFrequency | null | undefined;
  /** Collection days of a DAILY plan; default: BANKING_DAYS */
  collectionSchedule?: ScheduleRule | null | undefined;
  /** WEEKLY: 1 (Monday) to 5; MONTHLY: 1 to 31; CUSTOM_DAYS: sum of Monday 1, Tuesday 2, Wednesday 4 … Sunday 64 */
  collectionDay?: number | null | undefined;
  /** Earliest collection day; default: the next collection day */
  firstPaymentDate?: string | null | undefined;
  /** Lien position of this advance: 1 is first */
  position?: number | null | undefined;
  /** Percentage of revenue purchased */
  specifiedPercentage?: string | null | undefined;
  /** Unit of commissionValue */
  commissionBasis?: PricingBasis | null | undefined;
  commissionValue?: string | null | undefined;
  /** Unit of bankFeeValue */
  bankFeeBasis?: PricingBasis | null | undefined;
  bankFeeValue?: string | null | undefined;
  applicationFee?: string | null | undefined;
  wireFee?: string | null | undefined;
  /** Assessed when the deal defaults */
  defaultSurcharge?: string | null | undefined;
  /** Factor rate of an early payoff within epoWindowDays */
  epoFactorRate?: string | null | undefined;
  epoWindowDays?: number | null | undefined;
  epoCommissionBasis?: string | null | undefined;
  epoCommissionValue?: string | null | undefined;
  /** When the deal is funded; a date means midnight in the company's time zone. Default on the move to FUNDED: now */
  fundedAt?: string | null | undefined;
  payoffDate?: string | null | undefined;
  /** Funder that funds the deal */
  fundedLenderId?: string | null | undefined;
  /** Funder at inception */
  inceptionLenderId?: string | null | undefined;
  /** Underwriter */
  underwriterId?: string | null | undefined;
  /** Underwriting score */
  uwScore?: number | null | undefined;
  /** Category of the score */
  uwScoreCategory?: UnderwritingCategory | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Commission offer promised to the broker; determines the commission unless that is set. Staff only */
  commissionOfferId?: string | null | undefined;
  /** System that the deal was imported from; externalRef is its id there. Staff only */
  externalSource?: string | null | undefined;
  /** Id in externalSource; must be unique. Staff only */
  externalRef?: string | null | undefined;
};

/** Input for a signature request. */
export type NewSignatureRequest = {
  title: string;
  kind: SignatureRequestKind;
  /** Deal; required unless the kind is OTHER */
  dealId?: string | null | undefined;
  /** The document to sign, if it is stored here */
  documentId?: string | null | undefined;
  /** E-signature provider */
  provider?: string | null | undefined;
  /** Id at the provider, used in its events */
  externalId?: string | null | undefined;
  /** The signers, in order */
  signers: Array<NewSigner>;
};

export type NewSigner = {
  name: string;
  email: string;
  title?: string | null | undefined;
};

export type SendSignatureRequest = {
  /** Expiry; default: 30 days */
  expiresAt?: string | null | undefined;
};

export type RecordViewing = {
  /** Date and time; default: now */
  at?: string | null | undefined;
};

export type RecordSignature = {
  /** Date and time; default: now */
  at?: string | null | undefined;
  /** The signed document, if uploaded; not the one that was sent out */
  documentId?: string | null | undefined;
  /** URL of the signed document; the last signature requires this or documentId */
  documentUrl?: string | null | undefined;
};

export type RecordRefusal = {
  /** Date and time; default: now */
  at?: string | null | undefined;
  /** In the signer's words */
  reason?: string | null | undefined;
};

export type SignatureRequestKind =
  | 'CONTRACT'
  | 'DISCLOSURE'
  | 'OTHER';

export type SignatureRequestStatus =
  | 'DRAFT'
  | 'SENT'
  | 'COMPLETED'
  | 'DECLINED'
  | 'VOID'
  | 'EXPIRED';

export type SignerStatus =
  | 'PENDING'
  | 'VIEWED'
  | 'SIGNED'
  | 'DECLINED';

/** Input for an additional stipulation. */
export type NewStipulation = {
  /** Deal that needs the stipulation */
  dealId: string;
  title: string;
  /** Code in rules; default: derived from the title */
  code?: string | null | undefined;
  /** Whether it is required for funding; default: true */
  required?: boolean | null | undefined;
  /** Whether it can be waived; default: true */
  waivable?: boolean | null | undefined;
  /** Months of statements required */
  months?: number | null | undefined;
};

/** Input for a received stipulation. */
export type ReceiveStipulation = {
  /** Document of the deal or its merchant */
  documentId?: string | null | undefined;
};

/** Input for rejecting or waiving a stipulation. */
export type StipulationReason = {
  reason: string;
};

/** A default stipulation of new deals of a product. */
export type NewStipulationTemplate = {
  product: DealProduct;
  code: string;
  title: string;
  requirement: DealRequirement;
  /** Months of statements required */
  months?: number | null | undefined;
  /** Its position; default: last */
  position?: number | null | undefined;
};

/** Changes of a default stipulation. Absent fields are unchanged. */
export type UpdateStipulationTemplate = {
  title?: string | null | undefined;
  requirement?: DealRequirement | null | undefined;
  /** Months of statements required */
  months?: number | null | undefined;
  position?: number | null | undefined;
};

export type DealStipulationStatus =
  | 'REQUESTED'
  | 'RECEIVED'
  | 'APPROVED'
  | 'REJECTED'
  | 'WAIVED'
  | 'NOT_APPLICABLE';

export type DealRequirement =
  | 'REQUIRED'
  | 'WAIVABLE'
  | 'NOT_USED';

export type DealSubmissionCategory =
  | 'OPEN'
  | 'OFFERED'
  | 'ACCEPTED'
  | 'FUNDED'
  | 'DECLINED'
  | 'REJECTED_BY_MERCHANT'
  | 'WITHDRAWN';

/** Input for a wallet deposit or withdrawal. */
export type WalletMove = {
  amount: string;
  /** The caller's reference, such as that of the transfer */
  referenceId?: string | null | undefined;
};

export type SyndicatorFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  /** Text to search for; case-insensitive */
  q?: string | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
};

export type SyndicatorSort = {
  field: SyndicatorSortField;
  direction?: SortDirection;
};

export type SyndicatorSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'NAME';

/** Input for a new syndicator. */
export type NewSyndicator = {
  name: string;
  contactName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  website?: string | null | undefined;
  portfolioId?: string | null | undefined;
  /** Default: false */
  isHouse?: boolean | null | undefined;
  /** Default: true */
  isActive?: boolean | null | undefined;
  managementFeeBasis?: SyndicatorManagementFeeBasis | null | undefined;
  /** In percent of the basis */
  managementFeePercent?: string | null | undefined;
  /** Whether each collected dollar includes profit, or only those after the cost is recovered; default: PRO_RATA */
  profitAccrual?: SyndicatorProfitAccrual | null | undefined;
  /** The syndicator's part of the profit, in percent */
  profitSplitPercent?: string | null | undefined;
  /** When the company takes its charges; default: UPFRONT */
  cafRecognition?: SyndicatorCafRecognition | null | undefined;
  participatesInBankFee?: boolean | null | undefined;
  /** Bears a share of the commission; default: false */
  frontsCommission?: boolean | null | undefined;
  /** The company bears the syndicator's part of a loss; default: false */
  lossProtected?: boolean | null | undefined;
  /** Maximum per deal */
  maxPerDeal?: string | null | undefined;
  /** How often payout batches are drafted: DAILY, WEEKLY, BIWEEKLY, SEMIMONTHLY or MONTHLY, case-insensitive; with any other value, or none, staff draft them */
  distributionFrequency?: string | null | undefined;
  /** Default: false */
  requires1099?: boolean | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Free text */
  notes?: string | null | undefined;
};

/** Changes of a syndicator. Absent fields are unchanged; null clears an optional field. */
export type UpdateSyndicator = {
  name?: string | null | undefined;
  contactName?: string | null | undefined;
  email?: string | null | undefined;
  /** E.164 or a US format; stored as entered */
  phone?: string | null | undefined;
  website?: string | null | undefined;
  portfolioId?: string | null | undefined;
  /** Default: false */
  isHouse?: boolean | null | undefined;
  /** Default: true */
  isActive?: boolean | null | undefined;
  managementFeeBasis?: SyndicatorManagementFeeBasis | null | undefined;
  /** In percent of the basis */
  managementFeePercent?: string | null | undefined;
  /** Whether each collected dollar includes profit, or only those after the cost is recovered; default: PRO_RATA */
  profitAccrual?: SyndicatorProfitAccrual | null | undefined;
  /** The syndicator's part of the profit, in percent */
  profitSplitPercent?: string | null | undefined;
  /** When the company takes its charges; default: UPFRONT */
  cafRecognition?: SyndicatorCafRecognition | null | undefined;
  participatesInBankFee?: boolean | null | undefined;
  /** Bears a share of the commission; default: false */
  frontsCommission?: boolean | null | undefined;
  /** The company bears the syndicator's part of a loss; default: false */
  lossProtected?: boolean | null | undefined;
  /** Maximum per deal */
  maxPerDeal?: string | null | undefined;
  /** How often payout batches are drafted: DAILY, WEEKLY, BIWEEKLY, SEMIMONTHLY or MONTHLY, case-insensitive; with any other value, or none, staff draft them */
  distributionFrequency?: string | null | undefined;
  /** Default: false */
  requires1099?: boolean | null | undefined;
  /** The caller's reference */
  referenceId?: string | null | undefined;
  /** Free text */
  notes?: string | null | undefined;
};

export type SyndicatorCafRecognition =
  | 'UPFRONT'
  | 'AS_COLLECTED';

export type SyndicatorManagementFeeBasis =
  | 'PERCENT_OF_PARTICIPATION'
  | 'PERCENT_OF_COLLECTIONS';

export type SyndicatorProfitAccrual =
  | 'PRO_RATA'
  | 'COST_FIRST';

export type UccFilingStatus =
  | 'DRAFT'
  | 'SUBMITTED'
  | 'ACCEPTED'
  | 'REJECTED'
  | 'LAPSED'
  | 'TERMINATED';

export type UccFilingType =
  | 'UCC1'
  | 'UCC3_CONTINUATION'
  | 'UCC3_TERMINATION'
  | 'UCC3_AMENDMENT'
  | 'UCC3_ASSIGNMENT';

/** Input for a financing statement or an amendment of one. */
export type NewUccFiling = {
  dealId: string;
  type: UccFilingType;
  /** The financing statement of the deal that a UCC-3 amends */
  amendsId?: string | null | undefined;
  /** State where it is filed; default: that of the amended statement or, for a UCC-1, the merchant's state of incorporation, or else its state */
  jurisdiction?: string | null | undefined;
  /** Who files it; default: MANUAL */
  provider?: string | null | undefined;
  /** Id at the provider */
  externalId?: string | null | undefined;
  /** Collateral; default for a UCC-1: all present and future receivables */
  collateral?: string | null | undefined;
};

export type AcceptUccFiling = {
  /** File number */
  fileNumber: string;
  /** When it was filed; default: now */
  filedAt?: string | null | undefined;
};

export type RejectUccFiling = {
  /** In the office's words */
  reason: string;
};

export type UserFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  /** Text in name or email address; case-insensitive */
  q?: string | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only members with this role */
  roleId?: string | null | undefined;
};

export type UserSort = {
  field: UserSortField;
  direction?: SortDirection;
};

export type UserSortField =
  | 'ID'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'NAME'
  | 'EMAIL';

/** Input for a new member of staff. */
export type NewUser = {
  /** Stored in lower case; must be unique in the company */
  email: string;
  /** Default: the email address */
  name?: string | null | undefined;
  roleId: string;
};

/** Changes of a member of staff. Absent fields are unchanged. */
export type UpdateUser = {
  name?: string | null | undefined;
  roleId?: string | null | undefined;
};

/** Input for a new role. */
export type NewRole = {
  name: string;
  /** Scopes, such as deals:write or *:read, and staff permissions */
  permissions: Array<string>;
};

/** Changes of a role. Absent fields are unchanged. */
export type UpdateRole = {
  name?: string | null | undefined;
  /** Scopes, such as deals:write or *:read, and staff permissions */
  permissions?: Array<string> | null | undefined;
};

export type WebhookEndpointFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
};

export type WebhookEndpointSort = {
  field: WebhookEndpointSortField;
  direction?: SortDirection;
};

export type WebhookEndpointSortField =
  | 'ID'
  | 'CREATED_AT';

export type WebhookDeliveryStatus =
  | 'PENDING'
  | 'DELIVERED'
  | 'FAILED';

export type WebhookDeliveryFilter = {
  /** Only records with these ids; at most 200 */
  ids?: Array<string> | null | undefined;
  createdSince?: string | null | undefined;
  createdBefore?: string | null | undefined;
  updatedSince?: string | null | undefined;
  /** Only those to this endpoint */
  endpointId?: string | null | undefined;
  /** Only those of this status */
  status?: WebhookDeliveryStatus | null | undefined;
  /** Only those of this kind of event */
  event?: string | null | undefined;
};

export type WebhookDeliverySort = {
  field: WebhookDeliverySortField;
  direction?: SortDirection;
};

export type WebhookDeliverySortField =
  | 'ID';

/** Input for a new webhook endpoint. */
export type NewWebhookEndpoint = {
  /** URL for deliveries: https, at a public address */
  url: string;
  /** Kinds of events to deliver, or * for all */
  events: Array<string>;
  /** Whether events are delivered to it; default on creation: true */
  isActive?: boolean | null | undefined;
};

/** Changes of a webhook endpoint. Absent fields are unchanged. */
export type UpdateWebhookEndpoint = {
  /** URL for deliveries: https, at a public address */
  url?: string | null | undefined;
  /** Kinds of events to deliver, or * for all */
  events?: Array<string> | null | undefined;
  /** Setting it to true ends a pause and resets the failure streak */
  isActive?: boolean | null | undefined;
};

export type ApplicationsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ApplicationSubmissionFilter | null | undefined;
  sort?: ApplicationSubmissionSort | null | undefined;
}>;


export type ApplicationsQuery = { applications: { totalCount: number, nodes: Array<{ id: string, status: ApplicationSubmissionStatus, payload: unknown, ip: string | null, createdAt: string, form: { id: string, name: string, fields: unknown } | null, lead: { id: string, businessName: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ApplicationQueryVariables = Exact<{
  id: string;
}>;


export type ApplicationQuery = { application: { id: string, status: ApplicationSubmissionStatus, payload: unknown, ip: string | null, createdAt: string, form: { id: string, name: string, slug: string, fields: unknown } | null, lead: { id: string, businessName: string } | null } | null };

export type FormOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type FormOptionsQuery = { forms: Array<{ id: string, name: string, slug: string, fields: unknown, isActive: boolean }> | null };

export type CreateApplicationMutationVariables = Exact<{
  input: NewApplication;
}>;


export type CreateApplicationMutation = { createApplication: { id: string } | null };

export type SetApplicationStatusMutationVariables = Exact<{
  id: string;
  status: ApplicationSubmissionStatus;
}>;


export type SetApplicationStatusMutation = { markApplication: { id: string, status: ApplicationSubmissionStatus } | null };

export type ConvertApplicationMutationVariables = Exact<{
  id: string;
  input: ConvertApplication;
  merchant: boolean;
  deal: boolean;
}>;


export type ConvertApplicationMutation = { convertApplication: { lead: { id: string, businessName: string } | null, merchant?: { id: string } | null, deal?: { id: string, dealNumber: string } | null } | null };

export type AuditEntriesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: AuditEntryFilter | null | undefined;
  sort?: AuditEntrySort | null | undefined;
}>;


export type AuditEntriesQuery = { auditEntries: { totalCount: number, nodes: Array<{ id: string, action: string, actorKind: string, actorName: string, surface: string, entity: string, entityId: string, dealId: string | null, requestId: string, before: unknown, after: unknown, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CompanyQueryVariables = Exact<{ [key: string]: never; }>;


export type CompanyQuery = { company: { id: string, name: string, host: string, timeZone: string, sandbox: boolean, inboundSecretSet: boolean | null, createdAt: string } | null };

export type UpdateCompanyMutationVariables = Exact<{
  input: UpdateCompany;
}>;


export type UpdateCompanyMutation = { updateCompany: { id: string, name: string, timeZone: string } | null };

export type RotateInboundSecretMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateInboundSecretMutation = { rotateInboundSecret: { secret: string } | null };

export type FundingPoliciesQueryVariables = Exact<{ [key: string]: never; }>;


export type FundingPoliciesQuery = { fundingPolicies: Array<{ id: string, version: number, profile: string, blocks: Array<string>, createdAt: string }> | null, fundingBlockRules: Array<{ code: string, title: string, at: Array<DealState>, hard: boolean }> | null };

export type SaveFundingPolicyMutationVariables = Exact<{
  blocks: Array<string> | string;
}>;


export type SaveFundingPolicyMutation = { saveFundingPolicy: { id: string, version: number, profile: string, blocks: Array<string>, createdAt: string } | null };

export type UnderwritingPoliciesQueryVariables = Exact<{ [key: string]: never; }>;


export type UnderwritingPoliciesQuery = { underwritingPolicies: Array<{ id: string, version: number, name: string, rules: unknown, createdAt: string }> | null };

export type SaveUnderwritingPolicyMutationVariables = Exact<{
  input: NewUnderwritingPolicy;
}>;


export type SaveUnderwritingPolicyMutation = { saveUnderwritingPolicy: { id: string, version: number, name: string, rules: unknown, createdAt: string } | null };

export type DashboardQueryVariables = Exact<{ [key: string]: never; }>;


export type DashboardQuery = { dashboard: { pipeline: Array<{ state: DealState, deals: { count: number, amount: string } }>, fundedVolume: Array<{ month: string, deals: { count: number, amount: string } }>, collections: Array<{ date: string, bankingDay: boolean, expected: { count: number, amount: string }, collected: { count: number, amount: string }, bounced: { count: number, amount: string } }> | null, defaults: { count: number, amount: string }, bounces: { count: number, amount: string } | null, stipulationsReceived: { count: number }, offersExpiring: { count: number, amount: string } | null, payoutsToApprove: { count: number, amount: string } | null, drawsToReview: { count: number, amount: string } | null, renewals: { count: number, amount: string } | null, disbursements: { count: number, amount: string } | null } | null };

export type CollectionDayFieldsFragment = { date: string, bankingDay: boolean, expected: { count: number, amount: string }, collected: { count: number, amount: string }, bounced: { count: number, amount: string } };

export type WorkQueueQueryVariables = Exact<{
  limit?: number | null | undefined;
}>;


export type WorkQueueQuery = { workQueue: Array<{ task: WorkQueueTask, title: string | null, amount: string | null, at: string | null, dealId: string, deal: { id: string, dealNumber: string, merchant: { id: string, legalName: string } | null } | null }> | null };

export type DealQueryVariables = Exact<{
  id: string;
}>;


export type DealQuery = { deal: { id: string, dealNumber: string, referenceId: string | null, productType: DealProduct, state: DealState, moves: Array<DealState> | null, factorRate: string | null, buyRate: string | null, specifiedPercentage: string | null, fundedAmount: string | null, paybackAmount: string | null, bankFeeBasis: PricingBasis | null, bankFeeValue: string | null, applicationFee: string | null, wireFee: string | null, defaultSurcharge: string | null, epoFactorRate: string | null, epoWindowDays: number | null, paymentAmount: string | null, commissionBasis: PricingBasis | null, commissionValue: string | null, renewalPayoffAmount: string | null, termDays: number | null, position: number | null, collectionDay: number | null, numberOfPayments: number | null, uwScore: number | null, uwScoreCategory: UnderwritingCategory | null, collectionFrequency: ScheduleFrequency | null, collectionSchedule: ScheduleRule, firstPaymentDate: string | null, payoffDate: string | null, fundedAt: string | null, defaultedAt: string | null, isRenewal: boolean, commissionOfferId: string | null, externalSource: string | null, externalRef: string | null, createdAt: string, updatedAt: string, merchant: { id: string, legalName: string } | null, iso: { id: string, name: string } | null, fundedLender: { id: string, name: string } | null, renewedFromDeal: { id: string, dealNumber: string } | null, collection: { outstanding: string, collected: string, writtenOff: string, paidDownPct: string, nextPayment: { id: string, amount: string, scheduledDate: string | null } | null } | null } | null };

export type DealLedgerQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DealLedgerQuery = { deal: { id: string, ledgerEntries: { totalCount: number, nodes: Array<{ id: string, kind: LedgerKind, memo: string | null, occurredAt: string, postings: Array<{ id: string, account: string, amount: string }> | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type DealHistoryQueryVariables = Exact<{
  id: string;
}>;


export type DealHistoryQuery = { deal: { id: string, history: { totalCount: number, nodes: Array<{ id: string, actorName: string, surface: string, action: string, requestId: string, before: unknown, after: unknown, createdAt: string }> } | null } | null };

export type CommissionOffersQueryVariables = Exact<{ [key: string]: never; }>;


export type CommissionOffersQuery = { commissionOffers: Array<{ id: string, name: string, isActive: boolean }> | null };

export type DealsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: DealFilter | null | undefined;
  sort?: DealSort | null | undefined;
}>;


export type DealsQuery = { deals: { totalCount: number, nodes: Array<{ id: string, dealNumber: string, state: DealState, productType: DealProduct, fundedAmount: string | null, paybackAmount: string | null, factorRate: string | null, fundedAt: string | null, createdAt: string, merchant: { id: string, legalName: string } | null, iso: { id: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DealBoardQueryVariables = Exact<{ [key: string]: never; }>;


export type DealBoardQuery = { dashboard: { pipeline: Array<{ state: DealState, deals: { count: number, amount: string } }> } | null };

export type DealBoardColumnQueryVariables = Exact<{
  state: DealState;
  first: number;
}>;


export type DealBoardColumnQuery = { deals: { totalCount: number, nodes: Array<{ id: string, dealNumber: string, state: DealState, moves: Array<DealState> | null, fundedAmount: string | null, createdAt: string, fundedAt: string | null, merchant: { legalName: string } | null }> } | null, oldest: { nodes: Array<{ id: string, createdAt: string }> } | null };

export type CreateDealMutationVariables = Exact<{
  input: NewDeal;
}>;


export type CreateDealMutation = { createDeal: { id: string, dealNumber: string } | null };

export type UpdateDealMutationVariables = Exact<{
  id: string;
  input: UpdateDeal;
  unchangedSince?: string | null | undefined;
}>;


export type UpdateDealMutation = { updateDeal: { id: string, dealNumber: string, state: DealState, updatedAt: string } | null };

export type FundingBlocksQueryVariables = Exact<{
  id: string;
  to: DealState;
}>;


export type FundingBlocksQuery = { deal: { id: string, merchantId: string, fundingBlocks: Array<{ code: DealBlockCode, hard: boolean, problem: string, remedy: string, overridden: boolean }> | null } | null };

export type OverrideFundingBlockMutationVariables = Exact<{
  dealId: string;
  input: NewFundingOverride;
}>;


export type OverrideFundingBlockMutation = { overrideFundingBlock: { id: string, blockCode: DealBlockCode } | null };

export type MerchantOptionsQueryVariables = Exact<{
  q?: string | null | undefined;
}>;


export type MerchantOptionsQuery = { merchants: { nodes: Array<{ id: string, legalName: string }> } | null };

export type WriteOffDealMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type WriteOffDealMutation = { writeOffDeal: { id: string, dealNumber: string, state: DealState } | null };

export type PayOffDealMutationVariables = Exact<{
  id: string;
  input: DealPayoff;
}>;


export type PayOffDealMutation = { payOffDeal: { id: string, dealNumber: string, state: DealState } | null };

export type DealDisclosuresQueryVariables = Exact<{
  id: string;
}>;


export type DealDisclosuresQuery = { deal: { id: string, merchant: { id: string, state: string | null } | null, disclosures: { totalCount: number, nodes: Array<{ id: string, state: string, status: DisclosureStatus, computed: unknown, deliveredAt: string | null, signedAt: string | null, createdAt: string }> } | null } | null };

export type CreateDisclosureMutationVariables = Exact<{
  dealId: string;
}>;


export type CreateDisclosureMutation = { makeDisclosure: { id: string, state: string } | null };

export type DeliverDisclosureMutationVariables = Exact<{
  id: string;
  input?: DisclosureMoment;
}>;


export type DeliverDisclosureMutation = { deliverDisclosure: { id: string, status: DisclosureStatus } | null };

export type SignDisclosureMutationVariables = Exact<{
  id: string;
  input?: DisclosureMoment;
}>;


export type SignDisclosureMutation = { signDisclosure: { id: string, status: DisclosureStatus } | null };

export type DealDocumentsQueryVariables = Exact<{
  id: string;
}>;


export type DealDocumentsQuery = { deal: { id: string, stipulations: Array<{ id: string, code: string, title: string, status: DealStipulationStatus }> | null, documents: { totalCount: number, nodes: Array<{ id: string, name: string, kind: string, size: number | null, url: string | null, createdAt: string }> } | null } | null };

export type DealCreditFacilityQueryVariables = Exact<{
  id: string;
}>;


export type DealCreditFacilityQuery = { deal: { id: string, state: DealState, fundedAmount: string | null, paybackAmount: string | null, factorRate: string | null, participations: Array<{ id: string }> | null, creditFacilities: { nodes: Array<{ id: string, creditLimit: string, availableRoom: string, factorRate: string | null, status: CreditFacilityStatus, createdAt: string, draws: Array<{ id: string, amount: string, feeAmount: string | null, paybackAmount: string | null, status: LocDrawStatus, requestedBy: string | null, declinedReason: string | null, fundedAt: string | null, createdAt: string, unpaid: string | null, requestedByUser: { id: string, name: string } | null, approvedByUser: { id: string, name: string } | null }> | null }> } | null } | null };

export type CreateCreditFacilityMutationVariables = Exact<{
  input: NewCreditFacility;
}>;


export type CreateCreditFacilityMutation = { createCreditFacility: { id: string } | null };

export type UpdateCreditFacilityMutationVariables = Exact<{
  id: string;
  input: UpdateCreditFacility;
}>;


export type UpdateCreditFacilityMutation = { updateCreditFacility: { id: string, availableRoom: string } | null };

export type SuspendCreditFacilityMutationVariables = Exact<{
  id: string;
}>;


export type SuspendCreditFacilityMutation = { suspendCreditFacility: { id: string, status: CreditFacilityStatus } | null };

export type ResumeCreditFacilityMutationVariables = Exact<{
  id: string;
}>;


export type ResumeCreditFacilityMutation = { resumeCreditFacility: { id: string, status: CreditFacilityStatus } | null };

export type CloseCreditFacilityMutationVariables = Exact<{
  id: string;
}>;


export type CloseCreditFacilityMutation = { closeCreditFacility: { id: string, status: CreditFacilityStatus } | null };

export type RequestDrawMutationVariables = Exact<{
  facilityId: string;
  input: NewDraw;
}>;


export type RequestDrawMutation = { requestDraw: { id: string, amount: string } | null };

export type ApproveDrawMutationVariables = Exact<{
  id: string;
}>;


export type ApproveDrawMutation = { approveDraw: { id: string, status: LocDrawStatus } | null };

export type DeclineDrawMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type DeclineDrawMutation = { declineDraw: { id: string, status: LocDrawStatus } | null };

export type FundDrawMutationVariables = Exact<{
  id: string;
}>;


export type FundDrawMutation = { fundDraw: { id: string, status: LocDrawStatus } | null };

export type RepayDrawMutationVariables = Exact<{
  id: string;
  input: DrawRepayment;
}>;


export type RepayDrawMutation = { repayDraw: { id: string, status: LocDrawStatus, unpaid: string | null } | null };

export type DealUccFilingsQueryVariables = Exact<{
  id: string;
}>;


export type DealUccFilingsQuery = { deal: { id: string, merchant: { id: string, legalName: string, stateOfIncorporation: string | null, state: string | null } | null, uccFilings: { totalCount: number, nodes: Array<{ id: string, type: UccFilingType, status: UccFilingStatus, jurisdiction: string, provider: string, externalId: string | null, fileNumber: string | null, collateral: string | null, filedAt: string | null, lapsesAt: string | null, rejectionReason: string | null, createdAt: string, amendments: Array<{ id: string, type: UccFilingType, status: UccFilingStatus, jurisdiction: string, provider: string, externalId: string | null, fileNumber: string | null, collateral: string | null, filedAt: string | null, lapsesAt: string | null, rejectionReason: string | null, createdAt: string }> | null }> } | null } | null };

export type UccFilingFieldsFragment = { id: string, type: UccFilingType, status: UccFilingStatus, jurisdiction: string, provider: string, externalId: string | null, fileNumber: string | null, collateral: string | null, filedAt: string | null, lapsesAt: string | null, rejectionReason: string | null, createdAt: string };

export type CreateUccFilingMutationVariables = Exact<{
  input: NewUccFiling;
}>;


export type CreateUccFilingMutation = { createUccFiling: { id: string, status: UccFilingStatus } | null };

export type SubmitUccFilingMutationVariables = Exact<{
  id: string;
}>;


export type SubmitUccFilingMutation = { submitUccFiling: { id: string, status: UccFilingStatus } | null };

export type AcceptUccFilingMutationVariables = Exact<{
  id: string;
  input: AcceptUccFiling;
}>;


export type AcceptUccFilingMutation = { acceptUccFiling: { id: string, status: UccFilingStatus } | null };

export type RejectUccFilingMutationVariables = Exact<{
  id: string;
  input: RejectUccFiling;
}>;


export type RejectUccFilingMutation = { rejectUccFiling: { id: string, status: UccFilingStatus } | null };

export type TerminateUccFilingMutationVariables = Exact<{
  id: string;
}>;


export type TerminateUccFilingMutation = { terminateUccFiling: { id: string, status: UccFilingStatus } | null };

export type LapseUccFilingMutationVariables = Exact<{
  id: string;
}>;


export type LapseUccFilingMutation = { lapseUccFiling: { id: string, status: UccFilingStatus } | null };

export type FormsQueryVariables = Exact<{ [key: string]: never; }>;


export type FormsQuery = { forms: Array<{ id: string, name: string, slug: string, fields: unknown, isActive: boolean, createdAt: string, updatedAt: string }> | null };

export type FormFieldsFragment = { id: string, name: string, slug: string, fields: unknown, isActive: boolean, createdAt: string, updatedAt: string };

export type CreateFormMutationVariables = Exact<{
  input: NewForm;
}>;


export type CreateFormMutation = { createForm: { id: string, name: string, slug: string, fields: unknown, isActive: boolean, createdAt: string, updatedAt: string } | null };

export type UpdateFormMutationVariables = Exact<{
  id: string;
  input: UpdateForm;
}>;


export type UpdateFormMutation = { updateForm: { id: string, name: string, slug: string, fields: unknown, isActive: boolean, createdAt: string, updatedAt: string } | null };

export type DealHoldsQueryVariables = Exact<{
  id: string;
}>;


export type DealHoldsQuery = { deal: { id: string, collectionHolds: Array<{ id: string, reason: PaymentHoldReason, code: string | null, note: string | null, since: string, until: string | null, standing: boolean, cure: string }> | null } | null };

export type PlaceCollectionHoldMutationVariables = Exact<{
  input: NewCollectionHold;
}>;


export type PlaceCollectionHoldMutation = { placeCollectionHold: { id: string, dealId: string, standing: boolean } | null };

export type ReleaseCollectionHoldMutationVariables = Exact<{
  id: string;
  note: string;
}>;


export type ReleaseCollectionHoldMutation = { releaseCollectionHold: { id: string, dealId: string, standing: boolean } | null };

export type RetryPaymentMutationVariables = Exact<{
  id: string;
  input: RetryPayment;
}>;


export type RetryPaymentMutation = { retryPayment: { id: string, madeUpBy: { id: string, scheduledDate: string | null } | null, deal: { id: string } | null } | null };

export type ReturnRatesQueryVariables = Exact<{ [key: string]: never; }>;


export type ReturnRatesQuery = { returnRates: { from: string, to: string, debits: number, rates: Array<{ kind: PaymentReturnRateKind, returns: number, rate: string, limit: string, level: PaymentReturnRateLevel }> } | null };

export type ApiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiKeysQuery = { apiKeys: Array<{ id: string, name: string, purpose: string | null, kind: ApiKeyKind, scopes: Array<string>, last4: string, ipAllowList: Array<string>, rateLimit: number, expiresAt: string | null, retiresAt: string | null, replacedById: string | null, revokedAt: string | null, isValid: boolean, callCount: number, lastUsedAt: string | null, lastUsedAddress: string | null, createdAt: string }> | null };

export type ApiKeyFieldsFragment = { id: string, name: string, purpose: string | null, kind: ApiKeyKind, scopes: Array<string>, last4: string, ipAllowList: Array<string>, rateLimit: number, expiresAt: string | null, retiresAt: string | null, replacedById: string | null, revokedAt: string | null, isValid: boolean, callCount: number, lastUsedAt: string | null, lastUsedAddress: string | null, createdAt: string };

export type CreateApiKeyMutationVariables = Exact<{
  input: NewApiKey;
}>;


export type CreateApiKeyMutation = { createApiKey: { token: string, apiKey: { id: string, name: string, purpose: string | null, kind: ApiKeyKind, scopes: Array<string>, last4: string, ipAllowList: Array<string>, rateLimit: number, expiresAt: string | null, retiresAt: string | null, replacedById: string | null, revokedAt: string | null, isValid: boolean, callCount: number, lastUsedAt: string | null, lastUsedAddress: string | null, createdAt: string } } | null };

export type UpdateApiKeyMutationVariables = Exact<{
  id: string;
  input: UpdateApiKey;
}>;


export type UpdateApiKeyMutation = { updateApiKey: { id: string, name: string, purpose: string | null, kind: ApiKeyKind, scopes: Array<string>, last4: string, ipAllowList: Array<string>, rateLimit: number, expiresAt: string | null, retiresAt: string | null, replacedById: string | null, revokedAt: string | null, isValid: boolean, callCount: number, lastUsedAt: string | null, lastUsedAddress: string | null, createdAt: string } | null };

export type RotateApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RotateApiKeyMutation = { rotateApiKey: { token: string, apiKey: { id: string, name: string, purpose: string | null, kind: ApiKeyKind, scopes: Array<string>, last4: string, ipAllowList: Array<string>, rateLimit: number, expiresAt: string | null, retiresAt: string | null, replacedById: string | null, revokedAt: string | null, isValid: boolean, callCount: number, lastUsedAt: string | null, lastUsedAddress: string | null, createdAt: string } } | null };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeApiKeyMutation = { revokeApiKey: { id: string, name: string, purpose: string | null, kind: ApiKeyKind, scopes: Array<string>, last4: string, ipAllowList: Array<string>, rateLimit: number, expiresAt: string | null, retiresAt: string | null, replacedById: string | null, revokedAt: string | null, isValid: boolean, callCount: number, lastUsedAt: string | null, lastUsedAddress: string | null, createdAt: string } | null };

export type LeadsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: LeadFilter | null | undefined;
  sort?: LeadSort | null | undefined;
}>;


export type LeadsQuery = { leads: { totalCount: number, nodes: Array<{ id: string, businessName: string, contactName: string | null, email: string | null, phone: string | null, requestedAmount: string | null, source: string | null, status: LeadStatus, nextActionAt: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type LeadQueryVariables = Exact<{
  id: string;
}>;


export type LeadQuery = { lead: { id: string, businessName: string, dbaName: string | null, contactName: string | null, email: string | null, phone: string | null, status: LeadStatus, source: string | null, requestedAmount: string | null, notes: string | null, ownerId: string | null, nextActionAt: string | null, createdAt: string, updatedAt: string, merchant: { id: string, legalName: string } | null } | null };

export type CreateLeadMutationVariables = Exact<{
  input: NewLead;
}>;


export type CreateLeadMutation = { createLead: { id: string, businessName: string } | null };

export type UpdateLeadMutationVariables = Exact<{
  id: string;
  input: UpdateLead;
  unchangedSince?: string | null | undefined;
}>;


export type UpdateLeadMutation = { updateLead: { id: string, updatedAt: string } | null };

export type DeleteLeadMutationVariables = Exact<{
  id: string;
}>;


export type DeleteLeadMutation = { deleteLead: string | null };

export type ConvertLeadMutationVariables = Exact<{
  id: string;
  input: ConvertLead;
}>;


export type ConvertLeadMutation = { convertLead: { merchant: { id: string, legalName: string } | null } | null };

export type DealActivitySubscriptionVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type DealActivitySubscription = { dealActivity: { id: string, action: string, actorName: string } | null };

export type WebhookDeliveryLogSubscriptionVariables = Exact<{
  endpointId: string;
  after?: string | null | undefined;
}>;


export type WebhookDeliveryLogSubscription = { webhookDeliveryLog: { id: string } | null };

export type WebhookAttemptsSubscriptionVariables = Exact<{
  endpointId: string;
  after?: string | null | undefined;
}>;


export type WebhookAttemptsSubscription = { webhookTries: { id: string } | null };

export type SubmissionStatusesQueryVariables = Exact<{ [key: string]: never; }>;


export type SubmissionStatusesQuery = { submissionStatuses: Array<{ id: string, code: string, name: string, category: DealSubmissionCategory, position: number, isActive: boolean }> | null };

export type SubmissionStatusFieldsFragment = { id: string, code: string, name: string, category: DealSubmissionCategory, position: number, isActive: boolean };

export type CreateSubmissionStatusMutationVariables = Exact<{
  input: NewSubmissionStatus;
}>;


export type CreateSubmissionStatusMutation = { createSubmissionStatus: { id: string, code: string, name: string, category: DealSubmissionCategory, position: number, isActive: boolean } | null };

export type UpdateSubmissionStatusMutationVariables = Exact<{
  id: string;
  input: UpdateSubmissionStatus;
}>;


export type UpdateSubmissionStatusMutation = { updateSubmissionStatus: { id: string, code: string, name: string, category: DealSubmissionCategory, position: number, isActive: boolean } | null };

export type ReorderSubmissionStatusesMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ReorderSubmissionStatusesMutation = { reorderSubmissionStatuses: Array<{ id: string, code: string, name: string, category: DealSubmissionCategory, position: number, isActive: boolean }> | null };

export type DeclineReasonsQueryVariables = Exact<{ [key: string]: never; }>;


export type DeclineReasonsQuery = { declineReasons: Array<{ id: string, code: string, name: string, position: number, isActive: boolean }> | null };

export type DeclineReasonFieldsFragment = { id: string, code: string, name: string, position: number, isActive: boolean };

export type CreateDeclineReasonMutationVariables = Exact<{
  input: NewDeclineReason;
}>;


export type CreateDeclineReasonMutation = { createDeclineReason: { id: string, code: string, name: string, position: number, isActive: boolean } | null };

export type UpdateDeclineReasonMutationVariables = Exact<{
  id: string;
  input: UpdateDeclineReason;
}>;


export type UpdateDeclineReasonMutation = { updateDeclineReason: { id: string, code: string, name: string, position: number, isActive: boolean } | null };

export type ReorderDeclineReasonsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ReorderDeclineReasonsMutation = { reorderDeclineReasons: Array<{ id: string, code: string, name: string, position: number, isActive: boolean }> | null };

export type StipulationTemplatesQueryVariables = Exact<{ [key: string]: never; }>;


export type StipulationTemplatesQuery = { stipulationTemplates: Array<{ id: string, product: DealProduct, code: string, title: string, requirement: DealRequirement, months: number | null, position: number }> | null };

export type StipulationTemplateFieldsFragment = { id: string, product: DealProduct, code: string, title: string, requirement: DealRequirement, months: number | null, position: number };

export type CreateStipulationTemplateMutationVariables = Exact<{
  input: NewStipulationTemplate;
}>;


export type CreateStipulationTemplateMutation = { createStipulationTemplate: { id: string, product: DealProduct, code: string, title: string, requirement: DealRequirement, months: number | null, position: number } | null };

export type UpdateStipulationTemplateMutationVariables = Exact<{
  id: string;
  input: UpdateStipulationTemplate;
}>;


export type UpdateStipulationTemplateMutation = { updateStipulationTemplate: { id: string, product: DealProduct, code: string, title: string, requirement: DealRequirement, months: number | null, position: number } | null };

export type DispositionReasonsQueryVariables = Exact<{ [key: string]: never; }>;


export type DispositionReasonsQuery = { dispositionReasons: Array<{ id: string, code: string, name: string, position: number, isActive: boolean }> | null };

export type DispositionReasonFieldsFragment = { id: string, code: string, name: string, position: number, isActive: boolean };

export type CreateDispositionReasonMutationVariables = Exact<{
  input: NewDispositionReason;
}>;


export type CreateDispositionReasonMutation = { createDispositionReason: { id: string, code: string, name: string, position: number, isActive: boolean } | null };

export type UpdateDispositionReasonMutationVariables = Exact<{
  id: string;
  input: UpdateDispositionReason;
}>;


export type UpdateDispositionReasonMutation = { updateDispositionReason: { id: string, code: string, name: string, position: number, isActive: boolean } | null };

export type ReturnCodesQueryVariables = Exact<{ [key: string]: never; }>;


export type ReturnCodesQuery = { bounceCodes: Array<{ id: string, code: string, title: string, action: PaymentReturnAction, returnClass: PaymentReturnClass, retryable: boolean, fee: string | null, isActive: boolean }> | null };

export type ReturnCodeFieldsFragment = { id: string, code: string, title: string, action: PaymentReturnAction, returnClass: PaymentReturnClass, retryable: boolean, fee: string | null, isActive: boolean };

export type UpdateBounceCodeMutationVariables = Exact<{
  id: string;
  input: UpdateBounceCode;
}>;


export type UpdateBounceCodeMutation = { updateBounceCode: { id: string, code: string, title: string, action: PaymentReturnAction, returnClass: PaymentReturnClass, retryable: boolean, fee: string | null, isActive: boolean } | null };

export type MerchantsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: MerchantFilter | null | undefined;
  sort?: MerchantSort | null | undefined;
}>;


export type MerchantsQuery = { merchants: { totalCount: number, nodes: Array<{ id: string, legalName: string, dbaName: string | null, industry: string | null, city: string | null, state: string | null, email: string | null, phone: string | null, annualRevenue: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type MerchantQueryVariables = Exact<{
  id: string;
}>;


export type MerchantQuery = { merchant: { id: string, legalName: string, dbaName: string | null, referenceId: string | null, federalId: string | null, industry: string | null, email: string | null, phone: string | null, addressLine1: string | null, addressLine2: string | null, city: string | null, state: string | null, postalCode: string | null, businessType: string | null, startedOn: string | null, website: string | null, stateOfIncorporation: string | null, naicsCode: string | null, sicCode: string | null, homeBased: boolean, eCommerce: boolean, annualRevenue: string | null, merchantStatusId: string | null, externalSource: string | null, externalRef: string | null, createdAt: string, updatedAt: string, contacts: Array<{ id: string, firstName: string, lastName: string, title: string | null, email: string | null, phone: string | null, ssnLast4: string | null, ownershipPct: string | null, isGuarantor: boolean, isPrimary: boolean }> | null, deals: { totalCount: number, nodes: Array<{ id: string, dealNumber: string, state: DealState, productType: DealProduct, fundedAmount: string | null, paybackAmount: string | null, fundedAt: string | null }> } | null, communications: { totalCount: number, nodes: Array<{ id: string, channel: CommunicationChannel, direction: CommunicationDirection, fromAddr: string | null, toAddr: string | null, body: string | null, durationSec: number | null, occurredAt: string }> } | null } | null };

export type CommunicationFieldsFragment = { id: string, channel: CommunicationChannel, direction: CommunicationDirection, fromAddr: string | null, toAddr: string | null, body: string | null, durationSec: number | null, occurredAt: string };

export type CreateMerchantMutationVariables = Exact<{
  input: NewMerchant;
}>;


export type CreateMerchantMutation = { createMerchant: { id: string, legalName: string } | null };

export type UpdateMerchantMutationVariables = Exact<{
  id: string;
  input: UpdateMerchant;
  unchangedSince?: string | null | undefined;
}>;


export type UpdateMerchantMutation = { updateMerchant: { id: string, updatedAt: string } | null };

export type DeleteMerchantMutationVariables = Exact<{
  id: string;
}>;


export type DeleteMerchantMutation = { deleteMerchant: string | null };

export type MerchantBankAccountsQueryVariables = Exact<{
  id: string;
}>;


export type MerchantBankAccountsQuery = { merchant: { id: string, bankAccounts: Array<{ id: string, holderName: string | null, bankName: string | null, routingNumber: string | null, accountType: BankAccountTokenAccountType, last4: string, status: BankAccountTokenStatus, verifiedAt: string | null, revokedAt: string | null, createdAt: string, deal: { id: string, dealNumber: string } | null }> | null } | null };

export type CreateMerchantContactMutationVariables = Exact<{
  input: NewMerchantContact;
}>;


export type CreateMerchantContactMutation = { createMerchantContact: { id: string } | null };

export type UpdateMerchantContactMutationVariables = Exact<{
  id: string;
  input: UpdateMerchantContact;
}>;


export type UpdateMerchantContactMutation = { updateMerchantContact: { id: string } | null };

export type DeleteMerchantContactMutationVariables = Exact<{
  id: string;
}>;


export type DeleteMerchantContactMutation = { deleteMerchantContact: string | null };

export type AddBankAccountMutationVariables = Exact<{
  input: NewBankAccount;
}>;


export type AddBankAccountMutation = { addBankAccount: { id: string, last4: string } | null };

export type VerifyBankAccountMutationVariables = Exact<{
  id: string;
}>;


export type VerifyBankAccountMutation = { verifyBankAccount: { id: string, status: BankAccountTokenStatus } | null };

export type RevokeBankAccountMutationVariables = Exact<{
  id: string;
}>;


export type RevokeBankAccountMutation = { revokeBankAccount: { id: string, status: BankAccountTokenStatus } | null };

export type MerchantStatusOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type MerchantStatusOptionsQuery = { merchantStatuses: Array<{ id: string, name: string, isActive: boolean }> | null };

export type DealCommunicationsQueryVariables = Exact<{
  id: string;
}>;


export type DealCommunicationsQuery = { deal: { id: string, communications: { totalCount: number, nodes: Array<{ id: string, channel: CommunicationChannel, direction: CommunicationDirection, fromAddr: string | null, toAddr: string | null, body: string | null, durationSec: number | null, occurredAt: string }> } | null } | null };

export type DealNotesQueryVariables = Exact<{
  id: string;
}>;


export type DealNotesQuery = { deal: { id: string, staffNotes: { totalCount: number, nodes: Array<{ id: string, body: string, isPinned: boolean, authorId: string | null, createdAt: string, updatedAt: string }> } | null } | null };

export type MerchantNotesQueryVariables = Exact<{
  id: string;
}>;


export type MerchantNotesQuery = { merchant: { id: string, staffNotes: { totalCount: number, nodes: Array<{ id: string, body: string, isPinned: boolean, authorId: string | null, createdAt: string, updatedAt: string }> } | null } | null };

export type LeadNotesQueryVariables = Exact<{
  id: string;
}>;


export type LeadNotesQuery = { lead: { id: string, staffNotes: { totalCount: number, nodes: Array<{ id: string, body: string, isPinned: boolean, authorId: string | null, createdAt: string, updatedAt: string }> } | null } | null };

export type NoteFieldsFragment = { id: string, body: string, isPinned: boolean, authorId: string | null, createdAt: string, updatedAt: string };

export type StaffOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type StaffOptionsQuery = { colleagues: Array<{ id: string, name: string }> | null };

export type CreateNoteMutationVariables = Exact<{
  input: NewNote;
}>;


export type CreateNoteMutation = { createNote: { id: string } | null };

export type UpdateNoteMutationVariables = Exact<{
  id: string;
  input: UpdateNote;
}>;


export type UpdateNoteMutation = { updateNote: { id: string, isPinned: boolean } | null };

export type DeleteNoteMutationVariables = Exact<{
  id: string;
}>;


export type DeleteNoteMutation = { deleteNote: string | null };

export type DispositionReasonOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type DispositionReasonOptionsQuery = { dispositionReasons: Array<{ id: string, name: string, isActive: boolean }> | null };

export type LogCommunicationMutationVariables = Exact<{
  input: NewCommunication;
}>;


export type LogCommunicationMutation = { logCommunication: { id: string, channel: CommunicationChannel } | null };

export type UpdateCommunicationMutationVariables = Exact<{
  id: string;
  input: UpdateCommunication;
}>;


export type UpdateCommunicationMutation = { updateCommunication: { id: string } | null };

export type RecentNotificationsQueryVariables = Exact<{ [key: string]: never; }>;


export type RecentNotificationsQuery = { viewer: { unreadNotifications: number }, notifications: { nodes: Array<{ id: string, kind: string, title: string, body: string | null, entity: string | null, entityId: string | null, readAt: string | null, createdAt: string }> } | null };

export type NotificationsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: NotificationFilter | null | undefined;
  sort?: NotificationSort | null | undefined;
}>;


export type NotificationsQuery = { notifications: { totalCount: number, nodes: Array<{ id: string, kind: string, title: string, body: string | null, entity: string | null, entityId: string | null, readAt: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type NotificationFieldsFragment = { id: string, kind: string, title: string, body: string | null, entity: string | null, entityId: string | null, readAt: string | null, createdAt: string };

export type MarkNotificationsReadMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type MarkNotificationsReadMutation = { markNotificationsRead: Array<{ id: string, readAt: string | null }> | null };

export type MarkAllNotificationsReadMutationVariables = Exact<{ [key: string]: never; }>;


export type MarkAllNotificationsReadMutation = { markAllNotificationsRead: number | null };

export type DealSubmissionsQueryVariables = Exact<{
  id: string;
}>;


export type DealSubmissionsQuery = { deal: { id: string, state: DealState, fundedAmount: string | null, factorRate: string | null, termDays: number | null, submissions: { totalCount: number, nodes: Array<{ id: string, submittedAt: string | null, statusChangedAt: string, declinedAt: string | null, funder: { id: string, name: string } | null, status: { id: string, name: string, category: DealSubmissionCategory } | null, declineReason: { id: string, name: string } | null, approvals: { nodes: Array<{ id: string, state: DealOfferState, fundedAmount: string | null, paybackAmount: string | null, factorRate: string | null, termDays: number | null, bankFeePercent: string | null, epoDiscount: string | null, notes: string | null, offerSentAt: string | null, expiresAt: string | null, acceptedAt: string | null, acceptedBy: string | null, acceptedFrom: string | null, declinedReason: string | null, counterAmount: string | null, counterFactor: string | null, counterTermDays: number | null, counterBankFeePercent: string | null, counterNote: string | null, counterAt: string | null, counterAccepted: boolean | null }> } | null }> } | null } | null };

export type OfferFieldsFragment = { id: string, state: DealOfferState, fundedAmount: string | null, paybackAmount: string | null, factorRate: string | null, termDays: number | null, bankFeePercent: string | null, epoDiscount: string | null, notes: string | null, offerSentAt: string | null, expiresAt: string | null, acceptedAt: string | null, acceptedBy: string | null, acceptedFrom: string | null, declinedReason: string | null, counterAmount: string | null, counterFactor: string | null, counterTermDays: number | null, counterBankFeePercent: string | null, counterNote: string | null, counterAt: string | null, counterAccepted: boolean | null };

export type OfferShareTokenQueryVariables = Exact<{
  id: string;
}>;


export type OfferShareTokenQuery = { approval: { id: string, shareToken: string | null } | null };

export type FunderOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type FunderOptionsQuery = { funders: { nodes: Array<{ id: string, name: string, isActive: boolean }> } | null };

export type SubmissionStatusOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SubmissionStatusOptionsQuery = { submissionStatuses: Array<{ id: string, name: string, category: DealSubmissionCategory, isActive: boolean }> | null, declineReasons: Array<{ id: string, name: string, isActive: boolean }> | null };

export type CreateSubmissionMutationVariables = Exact<{
  input: NewSubmission;
}>;


export type CreateSubmissionMutation = { createSubmission: { id: string, funder: { name: string } | null, deal: { id: string } | null } | null };

export type MoveSubmissionMutationVariables = Exact<{
  id: string;
  input: MoveSubmission;
}>;


export type MoveSubmissionMutation = { moveSubmission: { id: string, status: { id: string, name: string } | null, deal: { id: string } | null } | null };

export type CreateApprovalMutationVariables = Exact<{
  input: NewApproval;
}>;


export type CreateApprovalMutation = { createApproval: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type UpdateApprovalMutationVariables = Exact<{
  id: string;
  input: UpdateApproval;
}>;


export type UpdateApprovalMutation = { updateApproval: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type SendOfferMutationVariables = Exact<{
  id: string;
}>;


export type SendOfferMutation = { sendOffer: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type WithdrawOfferMutationVariables = Exact<{
  id: string;
}>;


export type WithdrawOfferMutation = { withdrawOffer: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type AcceptOfferMutationVariables = Exact<{
  id: string;
}>;


export type AcceptOfferMutation = { acceptOffer: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type DeclineOfferMutationVariables = Exact<{
  id: string;
}>;


export type DeclineOfferMutation = { declineOffer: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type CounterOfferMutationVariables = Exact<{
  id: string;
  input: CounterOffer;
}>;


export type CounterOfferMutation = { counterOffer: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type ResolveCounterMutationVariables = Exact<{
  id: string;
  accept: boolean;
}>;


export type ResolveCounterMutation = { resolveCounter: { id: string, state: DealOfferState, submission: { id: string } | null, deal: { id: string } | null } | null };

export type DealParticipationsQueryVariables = Exact<{
  id: string;
}>;


export type DealParticipationsQuery = { deal: { id: string, state: DealState, fundedAmount: string | null, paybackAmount: string | null, participationProblems: Array<string> | null, participations: Array<{ id: string, percent: string, amount: string, fundedAt: string | null, managementFeeBasis: SyndicatorManagementFeeBasis | null, managementFeePercent: string | null, cafRecognition: SyndicatorCafRecognition, profitAccrual: SyndicatorProfitAccrual, profitSplitPercent: string | null, participatesInBankFee: boolean | null, frontsCommission: boolean, lossProtected: boolean, syndicator: { id: string, name: string } | null, figures: { collected: string, charged: string, paidOut: string, outstanding: string } | null }> | null } | null };

export type CreateParticipationMutationVariables = Exact<{
  input: NewParticipation;
}>;


export type CreateParticipationMutation = { createParticipation: { id: string, amount: string } | null };

export type UpdateParticipationMutationVariables = Exact<{
  id: string;
  input: UpdateParticipation;
}>;


export type UpdateParticipationMutation = { updateParticipation: { id: string, amount: string } | null };

export type DeleteParticipationMutationVariables = Exact<{
  id: string;
}>;


export type DeleteParticipationMutation = { deleteParticipation: string | null };

export type PaymentsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: PaymentFilter | null | undefined;
  sort?: PaymentSort | null | undefined;
}>;


export type PaymentsQuery = { payments: { totalCount: number, nodes: Array<{ id: string, dealId: string, type: PaymentType, status: PaymentStatus, amount: string, direction: PaymentDirection | null, method: PaymentMethod | null, scheduledDate: string | null, clearedDate: string | null, returnedAt: string | null, note: string | null, referenceId: string | null, createdAt: string, deal: { id: string, dealNumber: string, merchant: { id: string, legalName: string } | null } | null, bounceCode: { id: string, code: string, title: string, retryable: boolean } | null, madeUpBy: { id: string, status: PaymentStatus, scheduledDate: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreatePaymentMutationVariables = Exact<{
  input: NewPayment;
}>;


export type CreatePaymentMutation = { createPayment: { id: string, status: PaymentStatus, deal: { id: string } | null } | null };

export type UpdatePaymentMutationVariables = Exact<{
  id: string;
  input: UpdatePayment;
}>;


export type UpdatePaymentMutation = { updatePayment: { id: string, status: PaymentStatus, updatedAt: string, deal: { id: string } | null } | null };

export type MakeUpPaymentMutationVariables = Exact<{
  id: string;
  input: MakeUp;
}>;


export type MakeUpPaymentMutation = { makeUpPayment: { id: string, madeUpBy: { id: string, scheduledDate: string | null } | null, deal: { id: string } | null } | null };

export type ReturnCodeOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ReturnCodeOptionsQuery = { bounceCodes: Array<{ id: string, code: string, title: string, action: PaymentReturnAction, isActive: boolean }> | null };

export type PaymentCalendarQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type PaymentCalendarQuery = { paymentCalendar: Array<{ date: string, bankingDay: boolean, expected: { count: number, amount: string }, collected: { count: number, amount: string }, bounced: { count: number, amount: string } }> | null };

export type ReturnedPaymentsQueryVariables = Exact<{
  limit?: number | null | undefined;
}>;


export type ReturnedPaymentsQuery = { bounceQueue: Array<{ code: string | null, title: string | null, action: PaymentReturnAction | null, retryable: boolean, fee: string | null, payment: { id: string, dealId: string, amount: string, status: PaymentStatus, type: PaymentType, scheduledDate: string | null, returnedAt: string | null, deal: { id: string, dealNumber: string, merchant: { id: string, legalName: string } | null } | null } }> | null };

export type DealDisbursementsQueryVariables = Exact<{
  id: string;
}>;


export type DealDisbursementsQuery = { deal: { id: string, disbursements: Array<{ id: string, amount: string, method: PaymentMethod, status: DisbursementStatus, externalTransferId: string | null, referenceId: string | null, failureReason: string | null, sentAt: string | null, settledAt: string | null, failedAt: string | null, createdAt: string }> | null } | null };

export type MoveDisbursementMutationVariables = Exact<{
  id: string;
  input: DisbursementMove;
}>;


export type MoveDisbursementMutation = { moveDisbursement: { id: string, status: DisbursementStatus } | null };

export type PayoutBatchesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: PayoutBatchFilter | null | undefined;
  sort?: PayoutBatchSort | null | undefined;
}>;


export type PayoutBatchesQuery = { payouts: { totalCount: number, nodes: Array<{ id: string, kind: PayoutBatchKind, periodFrom: string, periodTo: string, status: PayoutBatchStatus, createdAt: string, approvedAt: string | null, paidAt: string | null, createdBy: { id: string, name: string } | null, approvedBy: { id: string, name: string } | null, total: { count: number, amount: string } | null, standing: Array<{ status: PayoutItemStatus, items: { count: number, amount: string } }> | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PayoutBatchQueryVariables = Exact<{
  id: string;
}>;


export type PayoutBatchQuery = { payout: { id: string, kind: PayoutBatchKind, periodFrom: string, periodTo: string, status: PayoutBatchStatus, createdAt: string, approvedAt: string | null, paidAt: string | null, createdBy: { id: string, name: string } | null, approvedBy: { id: string, name: string } | null, total: { count: number, amount: string } | null, standing: Array<{ status: PayoutItemStatus, items: { count: number, amount: string } }> | null } | null };

export type PayoutBatchFieldsFragment = { id: string, kind: PayoutBatchKind, periodFrom: string, periodTo: string, status: PayoutBatchStatus, createdAt: string, approvedAt: string | null, paidAt: string | null, createdBy: { id: string, name: string } | null, approvedBy: { id: string, name: string } | null, total: { count: number, amount: string } | null, standing: Array<{ status: PayoutItemStatus, items: { count: number, amount: string } }> | null };

export type PayoutItemsQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
  filter?: PayoutItemFilter | null | undefined;
  sort?: PayoutItemSort | null | undefined;
}>;


export type PayoutItemsQuery = { payout: { id: string, lines: { totalCount: number, nodes: Array<{ id: string, amount: string, status: PayoutItemStatus, heldReason: string | null, carriedAt: string | null, clawbackRiskAt: string | null, clawedBackAt: string | null, clawbackNote: string | null, reversesId: string | null, dealId: string | null, iso: { id: string, name: string } | null, referrer: { id: string, name: string } | null, syndicator: { id: string, name: string } | null, deal: { id: string, dealNumber: string, merchant: { id: string, legalName: string } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CreatePayoutBatchMutationVariables = Exact<{
  input: NewPayoutBatch;
}>;


export type CreatePayoutBatchMutation = { makePayoutBatch: { id: string, total: { count: number, amount: string } | null } | null };

export type ApprovePayoutBatchMutationVariables = Exact<{
  id: string;
}>;


export type ApprovePayoutBatchMutation = { approvePayoutBatch: { id: string, status: PayoutBatchStatus } | null };

export type PayPayoutBatchMutationVariables = Exact<{
  id: string;
  itemIds?: Array<string> | string | null | undefined;
}>;


export type PayPayoutBatchMutation = { payPayoutBatch: { id: string, kind: PayoutBatchKind, periodFrom: string, periodTo: string, status: PayoutBatchStatus, createdAt: string, approvedAt: string | null, paidAt: string | null, createdBy: { id: string, name: string } | null, approvedBy: { id: string, name: string } | null, total: { count: number, amount: string } | null, standing: Array<{ status: PayoutItemStatus, items: { count: number, amount: string } }> | null } | null };

export type HoldPayoutItemMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type HoldPayoutItemMutation = { holdPayoutItem: { id: string, status: PayoutItemStatus } | null };

export type FailPayoutItemMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type FailPayoutItemMutation = { failPayoutItem: { id: string, status: PayoutItemStatus } | null };

export type ReleasePayoutItemMutationVariables = Exact<{
  id: string;
}>;


export type ReleasePayoutItemMutation = { releasePayoutItem: { id: string, status: PayoutItemStatus } | null };

export type DealQuoteQueryVariables = Exact<{
  id: string;
  terms: QuoteTerms;
}>;


export type DealQuoteQuery = { deal: { id: string, quote: { fundedAmount: string | null, paybackAmount: string | null, factorRate: string | null, numberOfPayments: number | null, paymentAmount: string | null, lastPayment: string | null, termDays: number | null, firstPayment: string | null, specifiedPercentage: string | null, cost: string | null, fees: string, commission: string, netDisbursement: string | null, missing: Array<string> } | null } | null };

export type DealPayoffQueryVariables = Exact<{
  id: string;
  on: string;
}>;


export type DealPayoffQuery = { deal: { id: string, payoff: { on: string, amount: string, discount: string, until: string | null } | null } | null };

export type RenewalsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: RenewalOpportunityFilter | null | undefined;
  sort?: RenewalOpportunitySort | null | undefined;
}>;


export type RenewalsQuery = { renewals: { totalCount: number, nodes: Array<{ id: string, status: RenewalOpportunityStatus, paidDownPct: string, outstanding: string, createdAt: string, closedAt: string | null, dismissedReason: string | null, merchant: { id: string, legalName: string } | null, priorDeal: { id: string, dealNumber: string, state: DealState } | null, renewalDeal: { id: string, dealNumber: string, state: DealState } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type RenewalFieldsFragment = { id: string, status: RenewalOpportunityStatus, paidDownPct: string, outstanding: string, createdAt: string, closedAt: string | null, dismissedReason: string | null, priorDeal: { id: string, dealNumber: string, state: DealState } | null, renewalDeal: { id: string, dealNumber: string, state: DealState } | null };

export type DealRenewalsQueryVariables = Exact<{
  id: string;
}>;


export type DealRenewalsQuery = { deal: { id: string, renewals: { nodes: Array<{ id: string, status: RenewalOpportunityStatus, paidDownPct: string, outstanding: string, createdAt: string, closedAt: string | null, dismissedReason: string | null, priorDeal: { id: string, dealNumber: string, state: DealState } | null, renewalDeal: { id: string, dealNumber: string, state: DealState } | null }> } | null } | null };

export type PriorDealTermsQueryVariables = Exact<{
  id: string;
}>;


export type PriorDealTermsQuery = { deal: { id: string, dealNumber: string, productType: DealProduct, isoId: string | null, fundedAmount: string | null, factorRate: string | null, buyRate: string | null, numberOfPayments: number | null, collectionFrequency: ScheduleFrequency | null, collectionSchedule: ScheduleRule, collectionDay: number | null, position: number | null, commissionBasis: PricingBasis | null, commissionValue: string | null, bankFeeBasis: PricingBasis | null, bankFeeValue: string | null, applicationFee: string | null, wireFee: string | null, epoFactorRate: string | null, epoWindowDays: number | null, fundedLenderId: string | null, payoff: { on: string, amount: string, discount: string } | null } | null };

export type ScanRenewalsMutationVariables = Exact<{ [key: string]: never; }>;


export type ScanRenewalsMutation = { scanRenewals: { opened: number, closed: number, updated: number } | null };

export type ContactRenewalMutationVariables = Exact<{
  id: string;
}>;


export type ContactRenewalMutation = { contactRenewal: { id: string, status: RenewalOpportunityStatus } | null };

export type DismissRenewalMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type DismissRenewalMutation = { dismissRenewal: { id: string, status: RenewalOpportunityStatus } | null };

export type StartRenewalMutationVariables = Exact<{
  renewalId: string;
  input: RenewalTerms;
}>;


export type StartRenewalMutation = { startRenewal: { id: string, dealNumber: string } | null };

export type DealSignaturesQueryVariables = Exact<{
  id: string;
}>;


export type DealSignaturesQuery = { deal: { id: string, merchant: { id: string, contacts: Array<{ id: string, firstName: string, lastName: string, email: string | null, title: string | null, isPrimary: boolean, isGuarantor: boolean }> | null } | null, signatureRequests: { totalCount: number, nodes: Array<{ id: string, title: string, kind: SignatureRequestKind, status: SignatureRequestStatus, provider: string | null, externalId: string | null, declinedReason: string | null, sentAt: string | null, expiresAt: string | null, completedAt: string | null, declinedAt: string | null, createdAt: string, signers: Array<{ id: string, position: number, name: string, email: string, title: string | null, status: SignerStatus, declinedReason: string | null, viewedAt: string | null, signedAt: string | null, declinedAt: string | null }> | null }> } | null } | null };

export type CreateSignatureRequestMutationVariables = Exact<{
  input: NewSignatureRequest;
}>;


export type CreateSignatureRequestMutation = { createSignatureRequest: { id: string, title: string } | null };

export type SendSignatureRequestMutationVariables = Exact<{
  id: string;
  input?: SendSignatureRequest;
}>;


export type SendSignatureRequestMutation = { sendSignatureRequest: { id: string, status: SignatureRequestStatus } | null };

export type VoidSignatureRequestMutationVariables = Exact<{
  id: string;
}>;


export type VoidSignatureRequestMutation = { voidSignatureRequest: { id: string, status: SignatureRequestStatus } | null };

export type ExpireSignatureRequestMutationVariables = Exact<{
  id: string;
}>;


export type ExpireSignatureRequestMutation = { expireSignatureRequest: { id: string, status: SignatureRequestStatus } | null };

export type RecordViewingMutationVariables = Exact<{
  id: string;
  input?: RecordViewing;
}>;


export type RecordViewingMutation = { recordViewing: { id: string, status: SignerStatus } | null };

export type RecordSignatureMutationVariables = Exact<{
  id: string;
  input: RecordSignature;
}>;


export type RecordSignatureMutation = { recordSignature: { id: string, status: SignerStatus } | null };

export type RecordRefusalMutationVariables = Exact<{
  id: string;
  input: RecordRefusal;
}>;


export type RecordRefusalMutation = { recordRefusal: { id: string, status: SignerStatus } | null };

export type DealStipulationsQueryVariables = Exact<{
  id: string;
}>;


export type DealStipulationsQuery = { deal: { id: string, state: DealState, productType: DealProduct, stipulations: Array<{ id: string, code: string, title: string, status: DealStipulationStatus, required: boolean, waivable: boolean, months: number | null, receivedAt: string | null, approvedAt: string | null, rejectedReason: string | null, waivedReason: string | null, waivedAt: string | null }> | null } | null };

export type StipulationOptionsQueryVariables = Exact<{
  product?: DealProduct | null | undefined;
}>;


export type StipulationOptionsQuery = { stipulationTemplates: Array<{ id: string, code: string, title: string, requirement: DealRequirement, months: number | null }> | null };

export type RequestStipulationMutationVariables = Exact<{
  input: NewStipulation;
}>;


export type RequestStipulationMutation = { requestStipulation: { id: string, title: string } | null };

export type DismissStipulationMutationVariables = Exact<{
  id: string;
  input: StipulationReason;
}>;


export type DismissStipulationMutation = { dismissStipulation: { id: string, status: DealStipulationStatus } | null };

export type ReceiveStipulationMutationVariables = Exact<{
  id: string;
  input: ReceiveStipulation;
}>;


export type ReceiveStipulationMutation = { receiveStipulation: { id: string, status: DealStipulationStatus } | null };

export type ApproveStipulationMutationVariables = Exact<{
  id: string;
}>;


export type ApproveStipulationMutation = { approveStipulation: { id: string, status: DealStipulationStatus } | null };

export type RejectStipulationMutationVariables = Exact<{
  id: string;
  input: StipulationReason;
}>;


export type RejectStipulationMutation = { rejectStipulation: { id: string, status: DealStipulationStatus } | null };

export type WaiveStipulationMutationVariables = Exact<{
  id: string;
  input: StipulationReason;
}>;


export type WaiveStipulationMutation = { waiveStipulation: { id: string, status: DealStipulationStatus } | null };

export type ReopenStipulationMutationVariables = Exact<{
  id: string;
}>;


export type ReopenStipulationMutation = { reopenStipulation: { id: string, status: DealStipulationStatus } | null };

export type SyndicatorsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: SyndicatorFilter | null | undefined;
  sort?: SyndicatorSort | null | undefined;
}>;


export type SyndicatorsQuery = { syndicators: { totalCount: number, nodes: Array<{ id: string, name: string, isActive: boolean, isHouse: boolean, contactName: string | null, email: string | null, createdAt: string, balances: { wallet: string, payable: string } | null, figures: { participations: number, invested: string, collected: string, outstanding: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SyndicatorQueryVariables = Exact<{
  id: string;
}>;


export type SyndicatorQuery = { syndicator: { id: string, name: string, referenceId: string | null, email: string | null, phone: string | null, contactName: string | null, website: string | null, notes: string | null, requires1099: boolean, isActive: boolean, isHouse: boolean, lossProtected: boolean, frontsCommission: boolean, participatesInBankFee: boolean | null, maxPerDeal: string | null, managementFeePercent: string | null, profitSplitPercent: string | null, managementFeeBasis: SyndicatorManagementFeeBasis | null, cafRecognition: SyndicatorCafRecognition, profitAccrual: SyndicatorProfitAccrual, distributionFrequency: string | null, createdAt: string, updatedAt: string, balances: { wallet: string, payable: string } | null, figures: { participations: number, invested: string, collected: string, paidOut: string, outstanding: string } | null } | null };

export type SyndicatorParticipationsQueryVariables = Exact<{
  id: string;
}>;


export type SyndicatorParticipationsQuery = { syndicator: { id: string, participations: Array<{ id: string, percent: string, amount: string, fundedAt: string | null, managementFeeBasis: SyndicatorManagementFeeBasis | null, managementFeePercent: string | null, deal: { id: string, dealNumber: string, state: DealState, fundedAmount: string | null, merchant: { id: string, legalName: string } | null } | null, figures: { collected: string, charged: string, paidOut: string, outstanding: string } | null }> | null } | null };

export type SyndicatorStatementQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
}>;


export type SyndicatorStatementQuery = { syndicatorStatement: { opening: string, closing: string, lines: Array<{ occurredAt: string, kind: LedgerKind, memo: string | null, account: string, amount: string, balance: string, deal: { id: string, dealNumber: string } | null }> } | null };

export type SyndicatorOptionsQueryVariables = Exact<{
  q?: string | null | undefined;
}>;


export type SyndicatorOptionsQuery = { syndicators: { nodes: Array<{ id: string, name: string, isActive: boolean, maxPerDeal: string | null, balances: { wallet: string } | null }> } | null };

export type CreateSyndicatorMutationVariables = Exact<{
  input: NewSyndicator;
}>;


export type CreateSyndicatorMutation = { createSyndicator: { id: string, name: string } | null };

export type UpdateSyndicatorMutationVariables = Exact<{
  id: string;
  input: UpdateSyndicator;
}>;


export type UpdateSyndicatorMutation = { updateSyndicator: { id: string, updatedAt: string } | null };

export type DeleteSyndicatorMutationVariables = Exact<{
  id: string;
}>;


export type DeleteSyndicatorMutation = { deleteSyndicator: string | null };

export type DepositToWalletMutationVariables = Exact<{
  id: string;
  input: WalletMove;
}>;


export type DepositToWalletMutation = { depositToWallet: { id: string, balances: { wallet: string } | null } | null };

export type WithdrawFromWalletMutationVariables = Exact<{
  id: string;
  input: WalletMove;
}>;


export type WithdrawFromWalletMutation = { withdrawFromWallet: { id: string, balances: { wallet: string } | null } | null };

export type DealUnderwritingQueryVariables = Exact<{
  id: string;
}>;


export type DealUnderwritingQuery = { deal: { id: string, statementAnalyses: { totalCount: number, nodes: Array<{ id: string, source: string, version: number, periodStart: string | null, periodEnd: string | null, monthsCovered: number | null, grossDeposits: string | null, mcaDeposits: string | null, internalTransfers: string | null, trueRevenue3m: string | null, avgMonthlyTrueRevenue: string | null, estimatedMcaMonthly: string | null, avgDailyBalance: string | null, positionCount: number | null, nsfCount: number | null, negativeDays: number | null, altered: boolean, positions: unknown, alteredFlags: unknown, receivedAt: string }> } | null, decisions: { totalCount: number, nodes: Array<{ id: string, recommendation: UnderwritingRecommendation, score: number, category: UnderwritingCategory, flags: unknown, maxOffer: unknown, metrics: unknown, contributions: unknown, createdAt: string, policy: { id: string, name: string, version: number } | null }> } | null } | null };

export type RunDecisionMutationVariables = Exact<{
  dealId: string;
}>;


export type RunDecisionMutation = { runDecision: { id: string, recommendation: UnderwritingRecommendation, deal: { id: string } | null } | null };

export type UsersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: UserFilter | null | undefined;
  sort?: UserSort | null | undefined;
}>;


export type UsersQuery = { users: { totalCount: number, nodes: Array<{ id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type UserQueryVariables = Exact<{
  id: string;
}>;


export type UserQuery = { user: { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null } | null };

export type RolesQueryVariables = Exact<{ [key: string]: never; }>;


export type RolesQuery = { roles: Array<{ id: string, code: string | null, name: string, permissions: Array<string>, updatedAt: string }> | null, staffPermissions: Array<{ permission: string, doc: string }> | null };

export type UserFieldsFragment = { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null };

export type RoleFieldsFragment = { id: string, code: string | null, name: string, permissions: Array<string>, updatedAt: string };

export type CreateUserMutationVariables = Exact<{
  input: NewUser;
}>;


export type CreateUserMutation = { createUser: { user: { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null }, reset: { token: string, expiresAt: string, mailedTo: string | null } } | null };

export type UpdateUserMutationVariables = Exact<{
  id: string;
  input: UpdateUser;
}>;


export type UpdateUserMutation = { updateUser: { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null } | null };

export type DisableUserMutationVariables = Exact<{
  id: string;
}>;


export type DisableUserMutation = { disableUser: { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null } | null };

export type EnableUserMutationVariables = Exact<{
  id: string;
}>;


export type EnableUserMutation = { enableUser: { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null } | null };

export type ResetUserPasswordMutationVariables = Exact<{
  id: string;
}>;


export type ResetUserPasswordMutation = { resetUserPassword: { token: string, expiresAt: string, mailedTo: string | null } | null };

export type DropUserSecondFactorMutationVariables = Exact<{
  id: string;
}>;


export type DropUserSecondFactorMutation = { dropUserSecondFactor: { id: string, email: string, name: string, isActive: boolean, roleId: string, secondFactor: boolean | null, passwordChangedAt: string | null, lastLoginAt: string | null, createdAt: string, updatedAt: string, role: { id: string, name: string } | null } | null };

export type EndUserSessionsMutationVariables = Exact<{
  id: string;
}>;


export type EndUserSessionsMutation = { endUserSessions: number | null };

export type CreateRoleMutationVariables = Exact<{
  input: NewRole;
}>;


export type CreateRoleMutation = { createRole: { id: string, code: string | null, name: string, permissions: Array<string>, updatedAt: string } | null };

export type UpdateRoleMutationVariables = Exact<{
  id: string;
  input: UpdateRole;
}>;


export type UpdateRoleMutation = { updateRole: { id: string, code: string | null, name: string, permissions: Array<string>, updatedAt: string } | null };

export type DeleteRoleMutationVariables = Exact<{
  id: string;
}>;


export type DeleteRoleMutation = { deleteRole: string | null };

export type WebhookEndpointsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: WebhookEndpointFilter | null | undefined;
  sort?: WebhookEndpointSort | null | undefined;
}>;


export type WebhookEndpointsQuery = { webhookEndpoints: { totalCount: number, nodes: Array<{ id: string, url: string, events: Array<string>, isActive: boolean, failureStreak: number, disabledAt: string | null, disabledReason: string | null, lastDeliveredAt: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type WebhookEndpointQueryVariables = Exact<{
  id: string;
}>;


export type WebhookEndpointQuery = { webhookEndpoint: { id: string, url: string, events: Array<string>, isActive: boolean, failureStreak: number, disabledAt: string | null, disabledReason: string | null, lastDeliveredAt: string | null, createdAt: string } | null };

export type WebhookEndpointFieldsFragment = { id: string, url: string, events: Array<string>, isActive: boolean, failureStreak: number, disabledAt: string | null, disabledReason: string | null, lastDeliveredAt: string | null, createdAt: string };

export type WebhookDeliveriesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: WebhookDeliveryFilter | null | undefined;
  sort?: WebhookDeliverySort | null | undefined;
}>;


export type WebhookDeliveriesQuery = { webhookDeliveries: { totalCount: number, nodes: Array<{ id: string, event: string, status: WebhookDeliveryStatus, attempts: number, responseStatus: number | null, error: string | null, durationMs: number | null, deliveredAt: string | null, createdAt: string, endpoint: { id: string, url: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type WebhookDeliveryQueryVariables = Exact<{
  id: string;
}>;


export type WebhookDeliveryQuery = { webhookDelivery: { id: string, event: string, status: WebhookDeliveryStatus, attempts: number, payload: unknown, deliveredAt: string | null, createdAt: string, endpoint: { id: string, url: string } | null, tries: Array<{ id: string, number: number, responseStatus: number | null, durationMs: number, error: string | null, responseSnippet: string | null, createdAt: string }> | null } | null };

export type CreateWebhookEndpointMutationVariables = Exact<{
  input: NewWebhookEndpoint;
}>;


export type CreateWebhookEndpointMutation = { createWebhookEndpoint: { secret: string, webhookEndpoint: { id: string, url: string, events: Array<string>, isActive: boolean, failureStreak: number, disabledAt: string | null, disabledReason: string | null, lastDeliveredAt: string | null, createdAt: string } } | null };

export type UpdateWebhookEndpointMutationVariables = Exact<{
  id: string;
  input: UpdateWebhookEndpoint;
}>;


export type UpdateWebhookEndpointMutation = { updateWebhookEndpoint: { id: string, url: string, events: Array<string>, isActive: boolean, failureStreak: number, disabledAt: string | null, disabledReason: string | null, lastDeliveredAt: string | null, createdAt: string } | null };

export type DeleteWebhookEndpointMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWebhookEndpointMutation = { deleteWebhookEndpoint: string | null };

export type RotateWebhookSecretMutationVariables = Exact<{
  id: string;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, webhookEndpoint: { id: string } } | null };

export type TestWebhookEndpointMutationVariables = Exact<{
  id: string;
  event: string;
}>;


export type TestWebhookEndpointMutation = { testWebhookEndpoint: { id: string, status: WebhookDeliveryStatus } | null };

export type RedeliverWebhookMutationVariables = Exact<{
  id: string;
}>;


export type RedeliverWebhookMutation = { redeliverWebhook: { id: string, status: WebhookDeliveryStatus } | null };

export const ApplicationsDocument = typed<ApplicationsQuery, ApplicationsQueryVariables>(
  "query Applications($first:Int!$after:String$filter:ApplicationSubmissionFilter$sort:ApplicationSubmissionSort){applications(first:$first after:$after filter:$filter sort:$sort){nodes{id status payload ip createdAt form{id name fields}lead{id businessName}}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const ApplicationDocument = typed<ApplicationQuery, ApplicationQueryVariables>(
  "query Application($id:ID!){application(id:$id){id status payload ip createdAt form{id name slug fields}lead{id businessName}}}",
);

export const FormOptionsDocument = typed<FormOptionsQuery, FormOptionsQueryVariables>(
  "query FormOptions{forms{id name slug fields isActive}}",
);

export const CreateApplicationDocument = typed<CreateApplicationMutation, CreateApplicationMutationVariables>(
  "mutation CreateApplication($input:NewApplication!){createApplication(input:$input){id}}",
);

export const SetApplicationStatusDocument = typed<SetApplicationStatusMutation, SetApplicationStatusMutationVariables>(
  "mutation SetApplicationStatus($id:ID!$status:ApplicationSubmissionStatus!){markApplication(id:$id status:$status){id status}}",
);

export const ConvertApplicationDocument = typed<ConvertApplicationMutation, ConvertApplicationMutationVariables>(
  "mutation ConvertApplication($id:ID!$input:ConvertApplication!$merchant:Boolean!$deal:Boolean!){convertApplication(id:$id input:$input){lead{id businessName}merchant@include(if:$merchant){id}deal@include(if:$deal){id dealNumber}}}",
);

export const AuditEntriesDocument = typed<AuditEntriesQuery, AuditEntriesQueryVariables>(
  "query AuditEntries($first:Int!$after:String$filter:AuditEntryFilter$sort:AuditEntrySort){auditEntries(first:$first after:$after filter:$filter sort:$sort){nodes{id action actorKind actorName surface entity entityId dealId requestId before after createdAt}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const CompanyDocument = typed<CompanyQuery, CompanyQueryVariables>(
  "query Company{company{id name host timeZone sandbox inboundSecretSet createdAt}}",
);

export const UpdateCompanyDocument = typed<UpdateCompanyMutation, UpdateCompanyMutationVariables>(
  "mutation UpdateCompany($input:UpdateCompany!){updateCompany(input:$input){id name timeZone}}",
);

export const RotateInboundSecretDocument = typed<RotateInboundSecretMutation, RotateInboundSecretMutationVariables>(
  "mutation RotateInboundSecret{rotateInboundSecret{secret}}",
);

export const FundingPoliciesDocument = typed<FundingPoliciesQuery, FundingPoliciesQueryVariables>(
  "query FundingPolicies{fundingPolicies{id version profile blocks createdAt}fundingBlockRules{code title at hard}}",
);

export const SaveFundingPolicyDocument = typed<SaveFundingPolicyMutation, SaveFundingPolicyMutationVariables>(
  "mutation SaveFundingPolicy($blocks:[String!]!){saveFundingPolicy(blocks:$blocks){id version profile blocks createdAt}}",
);

export const UnderwritingPoliciesDocument = typed<UnderwritingPoliciesQuery, UnderwritingPoliciesQueryVariables>(
  "query UnderwritingPolicies{underwritingPolicies{id version name rules createdAt}}",
);

export const SaveUnderwritingPolicyDocument = typed<SaveUnderwritingPolicyMutation, SaveUnderwritingPolicyMutationVariables>(
  "mutation SaveUnderwritingPolicy($input:NewUnderwritingPolicy!){saveUnderwritingPolicy(input:$input){id version name rules createdAt}}",
);

export const DashboardDocument = typed<DashboardQuery, DashboardQueryVariables>(
  "query Dashboard{dashboard{pipeline{state deals{count amount}}fundedVolume{month deals{count amount}}collections{...CollectionDayFields}defaults{count amount}bounces{count amount}stipulationsReceived{count}offersExpiring{count amount}payoutsToApprove{count amount}drawsToReview{count amount}renewals{count amount}disbursements{count amount}}}fragment CollectionDayFields on CollectionDay{date bankingDay expected{count amount}collected{count amount}bounced{count amount}}",
);

export const WorkQueueDocument = typed<WorkQueueQuery, WorkQueueQueryVariables>(
  "query WorkQueue($limit:Int=4){workQueue(limit:$limit){task title amount at dealId deal{id dealNumber merchant{id legalName}}}}",
);

export const DealDocument = typed<DealQuery, DealQueryVariables>(
  "query Deal($id:ID!){deal(id:$id){id dealNumber referenceId productType state moves factorRate buyRate specifiedPercentage fundedAmount paybackAmount bankFeeBasis bankFeeValue applicationFee wireFee defaultSurcharge epoFactorRate epoWindowDays paymentAmount commissionBasis commissionValue renewalPayoffAmount termDays position collectionDay numberOfPayments uwScore uwScoreCategory collectionFrequency collectionSchedule firstPaymentDate payoffDate fundedAt defaultedAt isRenewal commissionOfferId externalSource externalRef createdAt updatedAt merchant{id legalName}iso{id name}fundedLender{id name}renewedFromDeal{id dealNumber}collection{outstanding collected writtenOff paidDownPct nextPayment{id amount scheduledDate}}}}",
);

export const DealLedgerDocument = typed<DealLedgerQuery, DealLedgerQueryVariables>(
  "query DealLedger($id:ID!$first:Int=100$after:String){deal(id:$id){id ledgerEntries(first:$first after:$after sort:{field:ID direction:DESC}){nodes{id kind memo occurredAt postings{id account amount}}pageInfo{hasNextPage endCursor}totalCount}}}",
);

export const DealHistoryDocument = typed<DealHistoryQuery, DealHistoryQueryVariables>(
  "query DealHistory($id:ID!){deal(id:$id){id history(first:50 sort:{field:ID direction:DESC}){nodes{id actorName surface action requestId before after createdAt}totalCount}}}",
);

export const CommissionOffersDocument = typed<CommissionOffersQuery, CommissionOffersQueryVariables>(
  "query CommissionOffers{commissionOffers{id name isActive}}",
);

export const DealsDocument = typed<DealsQuery, DealsQueryVariables>(
  "query Deals($first:Int!$after:String$filter:DealFilter$sort:DealSort){deals(first:$first after:$after filter:$filter sort:$sort){nodes{id dealNumber state productType fundedAmount paybackAmount factorRate fundedAt createdAt merchant{id legalName}iso{id name}}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const DealBoardDocument = typed<DealBoardQuery, DealBoardQueryVariables>(
  "query DealBoard{dashboard{pipeline{state deals{count amount}}}}",
);

export const DealBoardColumnDocument = typed<DealBoardColumnQuery, DealBoardColumnQueryVariables>(
  "query DealBoardColumn($state:DealState!$first:Int!){deals(first:$first filter:{state:$state}sort:{field:CREATED_AT direction:DESC}){nodes{id dealNumber state moves fundedAmount createdAt fundedAt merchant{legalName}}totalCount}oldest:deals(first:1 filter:{state:$state}sort:{field:CREATED_AT direction:ASC}){nodes{id createdAt}}}",
);

export const CreateDealDocument = typed<CreateDealMutation, CreateDealMutationVariables>(
  "mutation CreateDeal($input:NewDeal!){createDeal(input:$input){id dealNumber}}",
);

export const UpdateDealDocument = typed<UpdateDealMutation, UpdateDealMutationVariables>(
  "mutation UpdateDeal($id:ID!$input:UpdateDeal!$unchangedSince:DateTime){updateDeal(id:$id input:$input unchangedSince:$unchangedSince){id dealNumber state updatedAt}}",
);

export const FundingBlocksDocument = typed<FundingBlocksQuery, FundingBlocksQueryVariables>(
  "query FundingBlocks($id:ID!$to:DealState!){deal(id:$id){id merchantId fundingBlocks(to:$to){code hard problem remedy overridden}}}",
);

export const OverrideFundingBlockDocument = typed<OverrideFundingBlockMutation, OverrideFundingBlockMutationVariables>(
  "mutation OverrideFundingBlock($dealId:ID!$input:NewFundingOverride!){overrideFundingBlock(dealId:$dealId input:$input){id blockCode}}",
);

export const MerchantOptionsDocument = typed<MerchantOptionsQuery, MerchantOptionsQueryVariables>(
  "query MerchantOptions($q:String){merchants(first:20 filter:{q:$q}sort:{field:LEGAL_NAME direction:ASC}){nodes{id legalName}}}",
);

export const WriteOffDealDocument = typed<WriteOffDealMutation, WriteOffDealMutationVariables>(
  "mutation WriteOffDeal($id:ID!$reason:String!){writeOffDeal(id:$id reason:$reason){id dealNumber state}}",
);

export const PayOffDealDocument = typed<PayOffDealMutation, PayOffDealMutationVariables>(
  "mutation PayOffDeal($id:ID!$input:DealPayoff!){payOffDeal(id:$id input:$input){id dealNumber state}}",
);

export const DealDisclosuresDocument = typed<DealDisclosuresQuery, DealDisclosuresQueryVariables>(
  "query DealDisclosures($id:ID!){deal(id:$id){id merchant{id state}disclosures(first:20 sort:{field:CREATED_AT direction:DESC}){nodes{id state status computed deliveredAt signedAt createdAt}totalCount}}}",
);

export const CreateDisclosureDocument = typed<CreateDisclosureMutation, CreateDisclosureMutationVariables>(
  "mutation CreateDisclosure($dealId:ID!){makeDisclosure(dealId:$dealId){id state}}",
);

export const DeliverDisclosureDocument = typed<DeliverDisclosureMutation, DeliverDisclosureMutationVariables>(
  "mutation DeliverDisclosure($id:ID!$input:DisclosureMoment!={}){deliverDisclosure(id:$id input:$input){id status}}",
);

export const SignDisclosureDocument = typed<SignDisclosureMutation, SignDisclosureMutationVariables>(
  "mutation SignDisclosure($id:ID!$input:DisclosureMoment!={}){signDisclosure(id:$id input:$input){id status}}",
);

export const DealDocumentsDocument = typed<DealDocumentsQuery, DealDocumentsQueryVariables>(
  "query DealDocuments($id:ID!){deal(id:$id){id stipulations{id code title status}documents(first:50 sort:{field:ID direction:DESC}){nodes{id name kind size url createdAt}totalCount}}}",
);

export const DealCreditFacilityDocument = typed<DealCreditFacilityQuery, DealCreditFacilityQueryVariables>(
  "query DealCreditFacility($id:ID!){deal(id:$id){id state fundedAmount paybackAmount factorRate participations{id}creditFacilities(first:1){nodes{id creditLimit availableRoom factorRate status createdAt draws{id amount feeAmount paybackAmount status requestedBy declinedReason fundedAt createdAt unpaid requestedByUser{id name}approvedByUser{id name}}}}}}",
);

export const CreateCreditFacilityDocument = typed<CreateCreditFacilityMutation, CreateCreditFacilityMutationVariables>(
  "mutation CreateCreditFacility($input:NewCreditFacility!){createCreditFacility(input:$input){id}}",
);

export const UpdateCreditFacilityDocument = typed<UpdateCreditFacilityMutation, UpdateCreditFacilityMutationVariables>(
  "mutation UpdateCreditFacility($id:ID!$input:UpdateCreditFacility!){updateCreditFacility(id:$id input:$input){id availableRoom}}",
);

export const SuspendCreditFacilityDocument = typed<SuspendCreditFacilityMutation, SuspendCreditFacilityMutationVariables>(
  "mutation SuspendCreditFacility($id:ID!){suspendCreditFacility(id:$id){id status}}",
);

export const ResumeCreditFacilityDocument = typed<ResumeCreditFacilityMutation, ResumeCreditFacilityMutationVariables>(
  "mutation ResumeCreditFacility($id:ID!){resumeCreditFacility(id:$id){id status}}",
);

export const CloseCreditFacilityDocument = typed<CloseCreditFacilityMutation, CloseCreditFacilityMutationVariables>(
  "mutation CloseCreditFacility($id:ID!){closeCreditFacility(id:$id){id status}}",
);

export const RequestDrawDocument = typed<RequestDrawMutation, RequestDrawMutationVariables>(
  "mutation RequestDraw($facilityId:ID!$input:NewDraw!){requestDraw(facilityId:$facilityId input:$input){id amount}}",
);

export const ApproveDrawDocument = typed<ApproveDrawMutation, ApproveDrawMutationVariables>(
  "mutation ApproveDraw($id:ID!){approveDraw(id:$id){id status}}",
);

export const DeclineDrawDocument = typed<DeclineDrawMutation, DeclineDrawMutationVariables>(
  "mutation DeclineDraw($id:ID!$reason:String!){declineDraw(id:$id reason:$reason){id status}}",
);

export const FundDrawDocument = typed<FundDrawMutation, FundDrawMutationVariables>(
  "mutation FundDraw($id:ID!){fundDraw(id:$id){id status}}",
);

export const RepayDrawDocument = typed<RepayDrawMutation, RepayDrawMutationVariables>(
  "mutation RepayDraw($id:ID!$input:DrawRepayment!){repayDraw(id:$id input:$input){id status unpaid}}",
);

export const DealUccFilingsDocument = typed<DealUccFilingsQuery, DealUccFilingsQueryVariables>(
  "query DealUccFilings($id:ID!){deal(id:$id){id merchant{id legalName stateOfIncorporation state}uccFilings(first:50 sort:{field:ID direction:DESC}){nodes{...UccFilingFields amendments{...UccFilingFields}}totalCount}}}fragment UccFilingFields on UccFiling{id type status jurisdiction provider externalId fileNumber collateral filedAt lapsesAt rejectionReason createdAt}",
);

export const CreateUccFilingDocument = typed<CreateUccFilingMutation, CreateUccFilingMutationVariables>(
  "mutation CreateUccFiling($input:NewUccFiling!){createUccFiling(input:$input){id status}}",
);

export const SubmitUccFilingDocument = typed<SubmitUccFilingMutation, SubmitUccFilingMutationVariables>(
  "mutation SubmitUccFiling($id:ID!){submitUccFiling(id:$id){id status}}",
);

export const AcceptUccFilingDocument = typed<AcceptUccFilingMutation, AcceptUccFilingMutationVariables>(
  "mutation AcceptUccFiling($id:ID!$input:AcceptUccFiling!){acceptUccFiling(id:$id input:$input){id status}}",
);

export const RejectUccFilingDocument = typed<RejectUccFilingMutation, RejectUccFilingMutationVariables>(
  "mutation RejectUccFiling($id:ID!$input:RejectUccFiling!){rejectUccFiling(id:$id input:$input){id status}}",
);

export const TerminateUccFilingDocument = typed<TerminateUccFilingMutation, TerminateUccFilingMutationVariables>(
  "mutation TerminateUccFiling($id:ID!){terminateUccFiling(id:$id){id status}}",
);

export const LapseUccFilingDocument = typed<LapseUccFilingMutation, LapseUccFilingMutationVariables>(
  "mutation LapseUccFiling($id:ID!){lapseUccFiling(id:$id){id status}}",
);

export const FormsDocument = typed<FormsQuery, FormsQueryVariables>(
  "query Forms{forms{...FormFields}}fragment FormFields on Form{id name slug fields isActive createdAt updatedAt}",
);

export const CreateFormDocument = typed<CreateFormMutation, CreateFormMutationVariables>(
  "mutation CreateForm($input:NewForm!){createForm(input:$input){...FormFields}}fragment FormFields on Form{id name slug fields isActive createdAt updatedAt}",
);

export const UpdateFormDocument = typed<UpdateFormMutation, UpdateFormMutationVariables>(
  "mutation UpdateForm($id:ID!$input:UpdateForm!){updateForm(id:$id input:$input){...FormFields}}fragment FormFields on Form{id name slug fields isActive createdAt updatedAt}",
);

export const DealHoldsDocument = typed<DealHoldsQuery, DealHoldsQueryVariables>(
  "query DealHolds($id:ID!){deal(id:$id){id collectionHolds{id reason code note since until standing cure}}}",
);

export const PlaceCollectionHoldDocument = typed<PlaceCollectionHoldMutation, PlaceCollectionHoldMutationVariables>(
  "mutation PlaceCollectionHold($input:NewCollectionHold!){placeCollectionHold(input:$input){id dealId standing}}",
);

export const ReleaseCollectionHoldDocument = typed<ReleaseCollectionHoldMutation, ReleaseCollectionHoldMutationVariables>(
  "mutation ReleaseCollectionHold($id:ID!$note:String!){releaseCollectionHold(id:$id note:$note){id dealId standing}}",
);

export const RetryPaymentDocument = typed<RetryPaymentMutation, RetryPaymentMutationVariables>(
  "mutation RetryPayment($id:ID!$input:RetryPayment!){retryPayment(id:$id input:$input){id madeUpBy{id scheduledDate}deal{id}}}",
);

export const ReturnRatesDocument = typed<ReturnRatesQuery, ReturnRatesQueryVariables>(
  "query ReturnRates{returnRates{from to debits rates{kind returns rate limit level}}}",
);

export const ApiKeysDocument = typed<ApiKeysQuery, ApiKeysQueryVariables>(
  "query ApiKeys{apiKeys{...ApiKeyFields}}fragment ApiKeyFields on ApiKey{id name purpose kind scopes last4 ipAllowList rateLimit expiresAt retiresAt replacedById revokedAt isValid callCount lastUsedAt lastUsedAddress createdAt}",
);

export const CreateApiKeyDocument = typed<CreateApiKeyMutation, CreateApiKeyMutationVariables>(
  "mutation CreateApiKey($input:NewApiKey!){createApiKey(input:$input){token apiKey{...ApiKeyFields}}}fragment ApiKeyFields on ApiKey{id name purpose kind scopes last4 ipAllowList rateLimit expiresAt retiresAt replacedById revokedAt isValid callCount lastUsedAt lastUsedAddress createdAt}",
);

export const UpdateApiKeyDocument = typed<UpdateApiKeyMutation, UpdateApiKeyMutationVariables>(
  "mutation UpdateApiKey($id:ID!$input:UpdateApiKey!){updateApiKey(id:$id input:$input){...ApiKeyFields}}fragment ApiKeyFields on ApiKey{id name purpose kind scopes last4 ipAllowList rateLimit expiresAt retiresAt replacedById revokedAt isValid callCount lastUsedAt lastUsedAddress createdAt}",
);

export const RotateApiKeyDocument = typed<RotateApiKeyMutation, RotateApiKeyMutationVariables>(
  "mutation RotateApiKey($id:ID!){rotateApiKey(id:$id){token apiKey{...ApiKeyFields}}}fragment ApiKeyFields on ApiKey{id name purpose kind scopes last4 ipAllowList rateLimit expiresAt retiresAt replacedById revokedAt isValid callCount lastUsedAt lastUsedAddress createdAt}",
);

export const RevokeApiKeyDocument = typed<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>(
  "mutation RevokeApiKey($id:ID!){revokeApiKey(id:$id){...ApiKeyFields}}fragment ApiKeyFields on ApiKey{id name purpose kind scopes last4 ipAllowList rateLimit expiresAt retiresAt replacedById revokedAt isValid callCount lastUsedAt lastUsedAddress createdAt}",
);

export const LeadsDocument = typed<LeadsQuery, LeadsQueryVariables>(
  "query Leads($first:Int!$after:String$filter:LeadFilter$sort:LeadSort){leads(first:$first after:$after filter:$filter sort:$sort){nodes{id businessName contactName email phone requestedAmount source status nextActionAt createdAt}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const LeadDocument = typed<LeadQuery, LeadQueryVariables>(
  "query Lead($id:ID!){lead(id:$id){id businessName dbaName contactName email phone status source requestedAmount notes ownerId nextActionAt createdAt updatedAt merchant{id legalName}}}",
);

export const CreateLeadDocument = typed<CreateLeadMutation, CreateLeadMutationVariables>(
  "mutation CreateLead($input:NewLead!){createLead(input:$input){id businessName}}",
);

export const UpdateLeadDocument = typed<UpdateLeadMutation, UpdateLeadMutationVariables>(
  "mutation UpdateLead($id:ID!$input:UpdateLead!$unchangedSince:DateTime){updateLead(id:$id input:$input unchangedSince:$unchangedSince){id updatedAt}}",
);

export const DeleteLeadDocument = typed<DeleteLeadMutation, DeleteLeadMutationVariables>(
  "mutation DeleteLead($id:ID!){deleteLead(id:$id)}",
);

export const ConvertLeadDocument = typed<ConvertLeadMutation, ConvertLeadMutationVariables>(
  "mutation ConvertLead($id:ID!$input:ConvertLead!){convertLead(id:$id input:$input){merchant{id legalName}}}",
);

export const DealActivityDocument = typed<DealActivitySubscription, DealActivitySubscriptionVariables>(
  "subscription DealActivity($id:ID!$after:ID){dealActivity(dealId:$id after:$after){id action actorName}}",
);

export const WebhookDeliveryLogDocument = typed<WebhookDeliveryLogSubscription, WebhookDeliveryLogSubscriptionVariables>(
  "subscription WebhookDeliveryLog($endpointId:ID!$after:ID){webhookDeliveryLog(endpointId:$endpointId after:$after){id}}",
);

export const WebhookAttemptsDocument = typed<WebhookAttemptsSubscription, WebhookAttemptsSubscriptionVariables>(
  "subscription WebhookAttempts($endpointId:ID!$after:ID){webhookTries(endpointId:$endpointId after:$after){id}}",
);

export const SubmissionStatusesDocument = typed<SubmissionStatusesQuery, SubmissionStatusesQueryVariables>(
  "query SubmissionStatuses{submissionStatuses{...SubmissionStatusFields}}fragment SubmissionStatusFields on SubmissionStatus{id code name category position isActive}",
);

export const CreateSubmissionStatusDocument = typed<CreateSubmissionStatusMutation, CreateSubmissionStatusMutationVariables>(
  "mutation CreateSubmissionStatus($input:NewSubmissionStatus!){createSubmissionStatus(input:$input){...SubmissionStatusFields}}fragment SubmissionStatusFields on SubmissionStatus{id code name category position isActive}",
);

export const UpdateSubmissionStatusDocument = typed<UpdateSubmissionStatusMutation, UpdateSubmissionStatusMutationVariables>(
  "mutation UpdateSubmissionStatus($id:ID!$input:UpdateSubmissionStatus!){updateSubmissionStatus(id:$id input:$input){...SubmissionStatusFields}}fragment SubmissionStatusFields on SubmissionStatus{id code name category position isActive}",
);

export const ReorderSubmissionStatusesDocument = typed<ReorderSubmissionStatusesMutation, ReorderSubmissionStatusesMutationVariables>(
  "mutation ReorderSubmissionStatuses($ids:[ID!]!){reorderSubmissionStatuses(ids:$ids){...SubmissionStatusFields}}fragment SubmissionStatusFields on SubmissionStatus{id code name category position isActive}",
);

export const DeclineReasonsDocument = typed<DeclineReasonsQuery, DeclineReasonsQueryVariables>(
  "query DeclineReasons{declineReasons{...DeclineReasonFields}}fragment DeclineReasonFields on DeclineReason{id code name position isActive}",
);

export const CreateDeclineReasonDocument = typed<CreateDeclineReasonMutation, CreateDeclineReasonMutationVariables>(
  "mutation CreateDeclineReason($input:NewDeclineReason!){createDeclineReason(input:$input){...DeclineReasonFields}}fragment DeclineReasonFields on DeclineReason{id code name position isActive}",
);

export const UpdateDeclineReasonDocument = typed<UpdateDeclineReasonMutation, UpdateDeclineReasonMutationVariables>(
  "mutation UpdateDeclineReason($id:ID!$input:UpdateDeclineReason!){updateDeclineReason(id:$id input:$input){...DeclineReasonFields}}fragment DeclineReasonFields on DeclineReason{id code name position isActive}",
);

export const ReorderDeclineReasonsDocument = typed<ReorderDeclineReasonsMutation, ReorderDeclineReasonsMutationVariables>(
  "mutation ReorderDeclineReasons($ids:[ID!]!){reorderDeclineReasons(ids:$ids){...DeclineReasonFields}}fragment DeclineReasonFields on DeclineReason{id code name position isActive}",
);

export const StipulationTemplatesDocument = typed<StipulationTemplatesQuery, StipulationTemplatesQueryVariables>(
  "query StipulationTemplates{stipulationTemplates{...StipulationTemplateFields}}fragment StipulationTemplateFields on StipulationTemplate{id product code title requirement months position}",
);

export const CreateStipulationTemplateDocument = typed<CreateStipulationTemplateMutation, CreateStipulationTemplateMutationVariables>(
  "mutation CreateStipulationTemplate($input:NewStipulationTemplate!){createStipulationTemplate(input:$input){...StipulationTemplateFields}}fragment StipulationTemplateFields on StipulationTemplate{id product code title requirement months position}",
);

export const UpdateStipulationTemplateDocument = typed<UpdateStipulationTemplateMutation, UpdateStipulationTemplateMutationVariables>(
  "mutation UpdateStipulationTemplate($id:ID!$input:UpdateStipulationTemplate!){updateStipulationTemplate(id:$id input:$input){...StipulationTemplateFields}}fragment StipulationTemplateFields on StipulationTemplate{id product code title requirement months position}",
);

export const DispositionReasonsDocument = typed<DispositionReasonsQuery, DispositionReasonsQueryVariables>(
  "query DispositionReasons{dispositionReasons{...DispositionReasonFields}}fragment DispositionReasonFields on DispositionReason{id code name position isActive}",
);

export const CreateDispositionReasonDocument = typed<CreateDispositionReasonMutation, CreateDispositionReasonMutationVariables>(
  "mutation CreateDispositionReason($input:NewDispositionReason!){createDispositionReason(input:$input){...DispositionReasonFields}}fragment DispositionReasonFields on DispositionReason{id code name position isActive}",
);

export const UpdateDispositionReasonDocument = typed<UpdateDispositionReasonMutation, UpdateDispositionReasonMutationVariables>(
  "mutation UpdateDispositionReason($id:ID!$input:UpdateDispositionReason!){updateDispositionReason(id:$id input:$input){...DispositionReasonFields}}fragment DispositionReasonFields on DispositionReason{id code name position isActive}",
);

export const ReturnCodesDocument = typed<ReturnCodesQuery, ReturnCodesQueryVariables>(
  "query ReturnCodes{bounceCodes{...ReturnCodeFields}}fragment ReturnCodeFields on BounceCode{id code title action returnClass retryable fee isActive}",
);

export const UpdateBounceCodeDocument = typed<UpdateBounceCodeMutation, UpdateBounceCodeMutationVariables>(
  "mutation UpdateBounceCode($id:ID!$input:UpdateBounceCode!){updateBounceCode(id:$id input:$input){...ReturnCodeFields}}fragment ReturnCodeFields on BounceCode{id code title action returnClass retryable fee isActive}",
);

export const MerchantsDocument = typed<MerchantsQuery, MerchantsQueryVariables>(
  "query Merchants($first:Int!$after:String$filter:MerchantFilter$sort:MerchantSort){merchants(first:$first after:$after filter:$filter sort:$sort){nodes{id legalName dbaName industry city state email phone annualRevenue createdAt}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const MerchantDocument = typed<MerchantQuery, MerchantQueryVariables>(
  "query Merchant($id:ID!){merchant(id:$id){id legalName dbaName referenceId federalId industry email phone addressLine1 addressLine2 city state postalCode businessType startedOn website stateOfIncorporation naicsCode sicCode homeBased eCommerce annualRevenue merchantStatusId externalSource externalRef createdAt updatedAt contacts{id firstName lastName title email phone ssnLast4 ownershipPct isGuarantor isPrimary}deals(first:50 sort:{field:CREATED_AT direction:DESC}){nodes{id dealNumber state productType fundedAmount paybackAmount fundedAt}totalCount}communications(first:20 sort:{field:OCCURRED_AT direction:DESC}){nodes{...CommunicationFields}totalCount}}}fragment CommunicationFields on Communication{id channel direction fromAddr toAddr body durationSec occurredAt}",
);

export const CreateMerchantDocument = typed<CreateMerchantMutation, CreateMerchantMutationVariables>(
  "mutation CreateMerchant($input:NewMerchant!){createMerchant(input:$input){id legalName}}",
);

export const UpdateMerchantDocument = typed<UpdateMerchantMutation, UpdateMerchantMutationVariables>(
  "mutation UpdateMerchant($id:ID!$input:UpdateMerchant!$unchangedSince:DateTime){updateMerchant(id:$id input:$input unchangedSince:$unchangedSince){id updatedAt}}",
);

export const DeleteMerchantDocument = typed<DeleteMerchantMutation, DeleteMerchantMutationVariables>(
  "mutation DeleteMerchant($id:ID!){deleteMerchant(id:$id)}",
);

export const MerchantBankAccountsDocument = typed<MerchantBankAccountsQuery, MerchantBankAccountsQueryVariables>(
  "query MerchantBankAccounts($id:ID!){merchant(id:$id){id bankAccounts{id holderName bankName routingNumber accountType last4 status verifiedAt revokedAt createdAt deal{id dealNumber}}}}",
);

export const CreateMerchantContactDocument = typed<CreateMerchantContactMutation, CreateMerchantContactMutationVariables>(
  "mutation CreateMerchantContact($input:NewMerchantContact!){createMerchantContact(input:$input){id}}",
);

export const UpdateMerchantContactDocument = typed<UpdateMerchantContactMutation, UpdateMerchantContactMutationVariables>(
  "mutation UpdateMerchantContact($id:ID!$input:UpdateMerchantContact!){updateMerchantContact(id:$id input:$input){id}}",
);

export const DeleteMerchantContactDocument = typed<DeleteMerchantContactMutation, DeleteMerchantContactMutationVariables>(
  "mutation DeleteMerchantContact($id:ID!){deleteMerchantContact(id:$id)}",
);

export const AddBankAccountDocument = typed<AddBankAccountMutation, AddBankAccountMutationVariables>(
  "mutation AddBankAccount($input:NewBankAccount!){addBankAccount(input:$input){id last4}}",
);

export const VerifyBankAccountDocument = typed<VerifyBankAccountMutation, VerifyBankAccountMutationVariables>(
  "mutation VerifyBankAccount($id:ID!){verifyBankAccount(id:$id){id status}}",
);

export const RevokeBankAccountDocument = typed<RevokeBankAccountMutation, RevokeBankAccountMutationVariables>(
  "mutation RevokeBankAccount($id:ID!){revokeBankAccount(id:$id){id status}}",
);

export const MerchantStatusOptionsDocument = typed<MerchantStatusOptionsQuery, MerchantStatusOptionsQueryVariables>(
  "query MerchantStatusOptions{merchantStatuses{id name isActive}}",
);

export const DealCommunicationsDocument = typed<DealCommunicationsQuery, DealCommunicationsQueryVariables>(
  "query DealCommunications($id:ID!){deal(id:$id){id communications(first:50 sort:{field:OCCURRED_AT direction:DESC}){nodes{...CommunicationFields}totalCount}}}fragment CommunicationFields on Communication{id channel direction fromAddr toAddr body durationSec occurredAt}",
);

export const DealNotesDocument = typed<DealNotesQuery, DealNotesQueryVariables>(
  "query DealNotes($id:ID!){deal(id:$id){id staffNotes(first:50 sort:{field:ID direction:DESC}){nodes{...NoteFields}totalCount}}}fragment NoteFields on Note{id body isPinned authorId createdAt updatedAt}",
);

export const MerchantNotesDocument = typed<MerchantNotesQuery, MerchantNotesQueryVariables>(
  "query MerchantNotes($id:ID!){merchant(id:$id){id staffNotes(first:50 sort:{field:ID direction:DESC}){nodes{...NoteFields}totalCount}}}fragment NoteFields on Note{id body isPinned authorId createdAt updatedAt}",
);

export const LeadNotesDocument = typed<LeadNotesQuery, LeadNotesQueryVariables>(
  "query LeadNotes($id:ID!){lead(id:$id){id staffNotes(first:50 sort:{field:ID direction:DESC}){nodes{...NoteFields}totalCount}}}fragment NoteFields on Note{id body isPinned authorId createdAt updatedAt}",
);

export const StaffOptionsDocument = typed<StaffOptionsQuery, StaffOptionsQueryVariables>(
  "query StaffOptions{colleagues{id name}}",
);

export const CreateNoteDocument = typed<CreateNoteMutation, CreateNoteMutationVariables>(
  "mutation CreateNote($input:NewNote!){createNote(input:$input){id}}",
);

export const UpdateNoteDocument = typed<UpdateNoteMutation, UpdateNoteMutationVariables>(
  "mutation UpdateNote($id:ID!$input:UpdateNote!){updateNote(id:$id input:$input){id isPinned}}",
);

export const DeleteNoteDocument = typed<DeleteNoteMutation, DeleteNoteMutationVariables>(
  "mutation DeleteNote($id:ID!){deleteNote(id:$id)}",
);

export const DispositionReasonOptionsDocument = typed<DispositionReasonOptionsQuery, DispositionReasonOptionsQueryVariables>(
  "query DispositionReasonOptions{dispositionReasons{id name isActive}}",
);

export const LogCommunicationDocument = typed<LogCommunicationMutation, LogCommunicationMutationVariables>(
  "mutation LogCommunication($input:NewCommunication!){logCommunication(input:$input){id channel}}",
);

export const UpdateCommunicationDocument = typed<UpdateCommunicationMutation, UpdateCommunicationMutationVariables>(
  "mutation UpdateCommunication($id:ID!$input:UpdateCommunication!){updateCommunication(id:$id input:$input){id}}",
);

export const RecentNotificationsDocument = typed<RecentNotificationsQuery, RecentNotificationsQueryVariables>(
  "query RecentNotifications{viewer{unreadNotifications}notifications(first:8 sort:{field:ID direction:DESC}){nodes{...NotificationFields}}}fragment NotificationFields on Notification{id kind title body entity entityId readAt createdAt}",
);

export const NotificationsDocument = typed<NotificationsQuery, NotificationsQueryVariables>(
  "query Notifications($first:Int!$after:String$filter:NotificationFilter$sort:NotificationSort){notifications(first:$first after:$after filter:$filter sort:$sort){nodes{...NotificationFields}pageInfo{hasNextPage endCursor}totalCount}}fragment NotificationFields on Notification{id kind title body entity entityId readAt createdAt}",
);

export const MarkNotificationsReadDocument = typed<MarkNotificationsReadMutation, MarkNotificationsReadMutationVariables>(
  "mutation MarkNotificationsRead($ids:[ID!]!){markNotificationsRead(ids:$ids){id readAt}}",
);

export const MarkAllNotificationsReadDocument = typed<MarkAllNotificationsReadMutation, MarkAllNotificationsReadMutationVariables>(
  "mutation MarkAllNotificationsRead{markAllNotificationsRead}",
);

export const DealSubmissionsDocument = typed<DealSubmissionsQuery, DealSubmissionsQueryVariables>(
  "query DealSubmissions($id:ID!){deal(id:$id){id state fundedAmount factorRate termDays submissions(first:50 sort:{field:STATUS_CHANGED_AT direction:DESC}){nodes{id submittedAt statusChangedAt declinedAt funder{id name}status{id name category}declineReason{id name}approvals(first:10 sort:{field:ID direction:DESC}){nodes{...OfferFields}}}totalCount}}}fragment OfferFields on Approval{id state fundedAmount paybackAmount factorRate termDays bankFeePercent epoDiscount notes offerSentAt expiresAt acceptedAt acceptedBy acceptedFrom declinedReason counterAmount counterFactor counterTermDays counterBankFeePercent counterNote counterAt counterAccepted}",
);

export const OfferShareTokenDocument = typed<OfferShareTokenQuery, OfferShareTokenQueryVariables>(
  "query OfferShareToken($id:ID!){approval(id:$id){id shareToken}}",
);

export const FunderOptionsDocument = typed<FunderOptionsQuery, FunderOptionsQueryVariables>(
  "query FunderOptions{funders(first:200 sort:{field:NAME direction:ASC}){nodes{id name isActive}}}",
);

export const SubmissionStatusOptionsDocument = typed<SubmissionStatusOptionsQuery, SubmissionStatusOptionsQueryVariables>(
  "query SubmissionStatusOptions{submissionStatuses{id name category isActive}declineReasons{id name isActive}}",
);

export const CreateSubmissionDocument = typed<CreateSubmissionMutation, CreateSubmissionMutationVariables>(
  "mutation CreateSubmission($input:NewSubmission!){createSubmission(input:$input){id funder{name}deal{id}}}",
);

export const MoveSubmissionDocument = typed<MoveSubmissionMutation, MoveSubmissionMutationVariables>(
  "mutation MoveSubmission($id:ID!$input:MoveSubmission!){moveSubmission(id:$id input:$input){id status{id name}deal{id}}}",
);

export const CreateApprovalDocument = typed<CreateApprovalMutation, CreateApprovalMutationVariables>(
  "mutation CreateApproval($input:NewApproval!){createApproval(input:$input){id state submission{id}deal{id}}}",
);

export const UpdateApprovalDocument = typed<UpdateApprovalMutation, UpdateApprovalMutationVariables>(
  "mutation UpdateApproval($id:ID!$input:UpdateApproval!){updateApproval(id:$id input:$input){id state submission{id}deal{id}}}",
);

export const SendOfferDocument = typed<SendOfferMutation, SendOfferMutationVariables>(
  "mutation SendOffer($id:ID!){sendOffer(id:$id){id state submission{id}deal{id}}}",
);

export const WithdrawOfferDocument = typed<WithdrawOfferMutation, WithdrawOfferMutationVariables>(
  "mutation WithdrawOffer($id:ID!){withdrawOffer(id:$id){id state submission{id}deal{id}}}",
);

export const AcceptOfferDocument = typed<AcceptOfferMutation, AcceptOfferMutationVariables>(
  "mutation AcceptOffer($id:ID!){acceptOffer(id:$id){id state submission{id}deal{id}}}",
);

export const DeclineOfferDocument = typed<DeclineOfferMutation, DeclineOfferMutationVariables>(
  "mutation DeclineOffer($id:ID!){declineOffer(id:$id){id state submission{id}deal{id}}}",
);

export const CounterOfferDocument = typed<CounterOfferMutation, CounterOfferMutationVariables>(
  "mutation CounterOffer($id:ID!$input:CounterOffer!){counterOffer(id:$id input:$input){id state submission{id}deal{id}}}",
);

export const ResolveCounterDocument = typed<ResolveCounterMutation, ResolveCounterMutationVariables>(
  "mutation ResolveCounter($id:ID!$accept:Boolean!){resolveCounter(id:$id accept:$accept){id state submission{id}deal{id}}}",
);

export const DealParticipationsDocument = typed<DealParticipationsQuery, DealParticipationsQueryVariables>(
  "query DealParticipations($id:ID!){deal(id:$id){id state fundedAmount paybackAmount participationProblems participations{id percent amount fundedAt managementFeeBasis managementFeePercent cafRecognition profitAccrual profitSplitPercent participatesInBankFee frontsCommission lossProtected syndicator{id name}figures{collected charged paidOut outstanding}}}}",
);

export const CreateParticipationDocument = typed<CreateParticipationMutation, CreateParticipationMutationVariables>(
  "mutation CreateParticipation($input:NewParticipation!){createParticipation(input:$input){id amount}}",
);

export const UpdateParticipationDocument = typed<UpdateParticipationMutation, UpdateParticipationMutationVariables>(
  "mutation UpdateParticipation($id:ID!$input:UpdateParticipation!){updateParticipation(id:$id input:$input){id amount}}",
);

export const DeleteParticipationDocument = typed<DeleteParticipationMutation, DeleteParticipationMutationVariables>(
  "mutation DeleteParticipation($id:ID!){deleteParticipation(id:$id)}",
);

export const PaymentsDocument = typed<PaymentsQuery, PaymentsQueryVariables>(
  "query Payments($first:Int!$after:String$filter:PaymentFilter$sort:PaymentSort){payments(first:$first after:$after filter:$filter sort:$sort){nodes{id dealId type status amount direction method scheduledDate clearedDate returnedAt note referenceId createdAt deal{id dealNumber merchant{id legalName}}bounceCode{id code title retryable}madeUpBy{id status scheduledDate}}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const CreatePaymentDocument = typed<CreatePaymentMutation, CreatePaymentMutationVariables>(
  "mutation CreatePayment($input:NewPayment!){createPayment(input:$input){id status deal{id}}}",
);

export const UpdatePaymentDocument = typed<UpdatePaymentMutation, UpdatePaymentMutationVariables>(
  "mutation UpdatePayment($id:ID!$input:UpdatePayment!){updatePayment(id:$id input:$input){id status updatedAt deal{id}}}",
);

export const MakeUpPaymentDocument = typed<MakeUpPaymentMutation, MakeUpPaymentMutationVariables>(
  "mutation MakeUpPayment($id:ID!$input:MakeUp!){makeUpPayment(id:$id input:$input){id madeUpBy{id scheduledDate}deal{id}}}",
);

export const ReturnCodeOptionsDocument = typed<ReturnCodeOptionsQuery, ReturnCodeOptionsQueryVariables>(
  "query ReturnCodeOptions{bounceCodes{id code title action isActive}}",
);

export const PaymentCalendarDocument = typed<PaymentCalendarQuery, PaymentCalendarQueryVariables>(
  "query PaymentCalendar($from:Date!$to:Date!){paymentCalendar(from:$from to:$to){...CollectionDayFields}}fragment CollectionDayFields on CollectionDay{date bankingDay expected{count amount}collected{count amount}bounced{count amount}}",
);

export const ReturnedPaymentsDocument = typed<ReturnedPaymentsQuery, ReturnedPaymentsQueryVariables>(
  "query ReturnedPayments($limit:Int){bounceQueue(limit:$limit){code title action retryable fee payment{id dealId amount status type scheduledDate returnedAt deal{id dealNumber merchant{id legalName}}}}}",
);

export const DealDisbursementsDocument = typed<DealDisbursementsQuery, DealDisbursementsQueryVariables>(
  "query DealDisbursements($id:ID!){deal(id:$id){id disbursements{id amount method status externalTransferId referenceId failureReason sentAt settledAt failedAt createdAt}}}",
);

export const MoveDisbursementDocument = typed<MoveDisbursementMutation, MoveDisbursementMutationVariables>(
  "mutation MoveDisbursement($id:ID!$input:DisbursementMove!){moveDisbursement(id:$id input:$input){id status}}",
);

export const PayoutBatchesDocument = typed<PayoutBatchesQuery, PayoutBatchesQueryVariables>(
  "query PayoutBatches($first:Int!$after:String$filter:PayoutBatchFilter$sort:PayoutBatchSort){payouts(first:$first after:$after filter:$filter sort:$sort){nodes{...PayoutBatchFields}pageInfo{hasNextPage endCursor}totalCount}}fragment PayoutBatchFields on PayoutBatch{id kind periodFrom periodTo status createdAt approvedAt paidAt createdBy{id name}approvedBy{id name}total{count amount}standing{status items{count amount}}}",
);

export const PayoutBatchDocument = typed<PayoutBatchQuery, PayoutBatchQueryVariables>(
  "query PayoutBatch($id:ID!){payout(id:$id){...PayoutBatchFields}}fragment PayoutBatchFields on PayoutBatch{id kind periodFrom periodTo status createdAt approvedAt paidAt createdBy{id name}approvedBy{id name}total{count amount}standing{status items{count amount}}}",
);

export const PayoutItemsDocument = typed<PayoutItemsQuery, PayoutItemsQueryVariables>(
  "query PayoutItems($id:ID!$first:Int!$after:String$filter:PayoutItemFilter$sort:PayoutItemSort){payout(id:$id){id lines(first:$first after:$after filter:$filter sort:$sort){nodes{id amount status heldReason carriedAt clawbackRiskAt clawedBackAt clawbackNote reversesId dealId iso{id name}referrer{id name}syndicator{id name}deal{id dealNumber merchant{id legalName}}}pageInfo{hasNextPage endCursor}totalCount}}}",
);

export const CreatePayoutBatchDocument = typed<CreatePayoutBatchMutation, CreatePayoutBatchMutationVariables>(
  "mutation CreatePayoutBatch($input:NewPayoutBatch!){makePayoutBatch(input:$input){id total{count amount}}}",
);

export const ApprovePayoutBatchDocument = typed<ApprovePayoutBatchMutation, ApprovePayoutBatchMutationVariables>(
  "mutation ApprovePayoutBatch($id:ID!){approvePayoutBatch(id:$id){id status}}",
);

export const PayPayoutBatchDocument = typed<PayPayoutBatchMutation, PayPayoutBatchMutationVariables>(
  "mutation PayPayoutBatch($id:ID!$itemIds:[ID!]){payPayoutBatch(id:$id itemIds:$itemIds){...PayoutBatchFields}}fragment PayoutBatchFields on PayoutBatch{id kind periodFrom periodTo status createdAt approvedAt paidAt createdBy{id name}approvedBy{id name}total{count amount}standing{status items{count amount}}}",
);

export const HoldPayoutItemDocument = typed<HoldPayoutItemMutation, HoldPayoutItemMutationVariables>(
  "mutation HoldPayoutItem($id:ID!$reason:String!){holdPayoutItem(id:$id reason:$reason){id status}}",
);

export const FailPayoutItemDocument = typed<FailPayoutItemMutation, FailPayoutItemMutationVariables>(
  "mutation FailPayoutItem($id:ID!$reason:String!){failPayoutItem(id:$id reason:$reason){id status}}",
);

export const ReleasePayoutItemDocument = typed<ReleasePayoutItemMutation, ReleasePayoutItemMutationVariables>(
  "mutation ReleasePayoutItem($id:ID!){releasePayoutItem(id:$id){id status}}",
);

export const DealQuoteDocument = typed<DealQuoteQuery, DealQuoteQueryVariables>(
  "query DealQuote($id:ID!$terms:QuoteTerms!){deal(id:$id){id quote(input:$terms){fundedAmount paybackAmount factorRate numberOfPayments paymentAmount lastPayment termDays firstPayment specifiedPercentage cost fees commission netDisbursement missing}}}",
);

export const DealPayoffDocument = typed<DealPayoffQuery, DealPayoffQueryVariables>(
  "query DealPayoff($id:ID!$on:Date!){deal(id:$id){id payoff(on:$on){on amount discount until}}}",
);

export const RenewalsDocument = typed<RenewalsQuery, RenewalsQueryVariables>(
  "query Renewals($first:Int!$after:String$filter:RenewalOpportunityFilter$sort:RenewalOpportunitySort){renewals(first:$first after:$after filter:$filter sort:$sort){nodes{...RenewalFields merchant{id legalName}}pageInfo{hasNextPage endCursor}totalCount}}fragment RenewalFields on RenewalOpportunity{id status paidDownPct outstanding createdAt closedAt dismissedReason priorDeal{id dealNumber state}renewalDeal{id dealNumber state}}",
);

export const DealRenewalsDocument = typed<DealRenewalsQuery, DealRenewalsQueryVariables>(
  "query DealRenewals($id:ID!){deal(id:$id){id renewals(first:1 sort:{field:ID direction:DESC}){nodes{...RenewalFields}}}}fragment RenewalFields on RenewalOpportunity{id status paidDownPct outstanding createdAt closedAt dismissedReason priorDeal{id dealNumber state}renewalDeal{id dealNumber state}}",
);

export const PriorDealTermsDocument = typed<PriorDealTermsQuery, PriorDealTermsQueryVariables>(
  "query PriorDealTerms($id:ID!){deal(id:$id){id dealNumber productType isoId fundedAmount factorRate buyRate numberOfPayments collectionFrequency collectionSchedule collectionDay position commissionBasis commissionValue bankFeeBasis bankFeeValue applicationFee wireFee epoFactorRate epoWindowDays fundedLenderId payoff{on amount discount}}}",
);

export const ScanRenewalsDocument = typed<ScanRenewalsMutation, ScanRenewalsMutationVariables>(
  "mutation ScanRenewals{scanRenewals{opened closed updated}}",
);

export const ContactRenewalDocument = typed<ContactRenewalMutation, ContactRenewalMutationVariables>(
  "mutation ContactRenewal($id:ID!){contactRenewal(id:$id){id status}}",
);

export const DismissRenewalDocument = typed<DismissRenewalMutation, DismissRenewalMutationVariables>(
  "mutation DismissRenewal($id:ID!$reason:String!){dismissRenewal(id:$id reason:$reason){id status}}",
);

export const StartRenewalDocument = typed<StartRenewalMutation, StartRenewalMutationVariables>(
  "mutation StartRenewal($renewalId:ID!$input:RenewalTerms!){startRenewal(renewalId:$renewalId input:$input){id dealNumber}}",
);

export const DealSignaturesDocument = typed<DealSignaturesQuery, DealSignaturesQueryVariables>(
  "query DealSignatures($id:ID!){deal(id:$id){id merchant{id contacts{id firstName lastName email title isPrimary isGuarantor}}signatureRequests(first:50 sort:{field:ID direction:DESC}){nodes{id title kind status provider externalId declinedReason sentAt expiresAt completedAt declinedAt createdAt signers{id position name email title status declinedReason viewedAt signedAt declinedAt}}totalCount}}}",
);

export const CreateSignatureRequestDocument = typed<CreateSignatureRequestMutation, CreateSignatureRequestMutationVariables>(
  "mutation CreateSignatureRequest($input:NewSignatureRequest!){createSignatureRequest(input:$input){id title}}",
);

export const SendSignatureRequestDocument = typed<SendSignatureRequestMutation, SendSignatureRequestMutationVariables>(
  "mutation SendSignatureRequest($id:ID!$input:SendSignatureRequest!={}){sendSignatureRequest(id:$id input:$input){id status}}",
);

export const VoidSignatureRequestDocument = typed<VoidSignatureRequestMutation, VoidSignatureRequestMutationVariables>(
  "mutation VoidSignatureRequest($id:ID!){voidSignatureRequest(id:$id){id status}}",
);

export const ExpireSignatureRequestDocument = typed<ExpireSignatureRequestMutation, ExpireSignatureRequestMutationVariables>(
  "mutation ExpireSignatureRequest($id:ID!){expireSignatureRequest(id:$id){id status}}",
);

export const RecordViewingDocument = typed<RecordViewingMutation, RecordViewingMutationVariables>(
  "mutation RecordViewing($id:ID!$input:RecordViewing!={}){recordViewing(id:$id input:$input){id status}}",
);

export const RecordSignatureDocument = typed<RecordSignatureMutation, RecordSignatureMutationVariables>(
  "mutation RecordSignature($id:ID!$input:RecordSignature!){recordSignature(id:$id input:$input){id status}}",
);

export const RecordRefusalDocument = typed<RecordRefusalMutation, RecordRefusalMutationVariables>(
  "mutation RecordRefusal($id:ID!$input:RecordRefusal!){recordRefusal(id:$id input:$input){id status}}",
);

export const DealStipulationsDocument = typed<DealStipulationsQuery, DealStipulationsQueryVariables>(
  "query DealStipulations($id:ID!){deal(id:$id){id state productType stipulations{id code title status required waivable months receivedAt approvedAt rejectedReason waivedReason waivedAt}}}",
);

export const StipulationOptionsDocument = typed<StipulationOptionsQuery, StipulationOptionsQueryVariables>(
  "query StipulationOptions($product:DealProduct){stipulationTemplates(product:$product){id code title requirement months}}",
);

export const RequestStipulationDocument = typed<RequestStipulationMutation, RequestStipulationMutationVariables>(
  "mutation RequestStipulation($input:NewStipulation!){requestStipulation(input:$input){id title}}",
);

export const DismissStipulationDocument = typed<DismissStipulationMutation, DismissStipulationMutationVariables>(
  "mutation DismissStipulation($id:ID!$input:StipulationReason!){dismissStipulation(id:$id input:$input){id status}}",
);

export const ReceiveStipulationDocument = typed<ReceiveStipulationMutation, ReceiveStipulationMutationVariables>(
  "mutation ReceiveStipulation($id:ID!$input:ReceiveStipulation!){receiveStipulation(id:$id input:$input){id status}}",
);

export const ApproveStipulationDocument = typed<ApproveStipulationMutation, ApproveStipulationMutationVariables>(
  "mutation ApproveStipulation($id:ID!){approveStipulation(id:$id){id status}}",
);

export const RejectStipulationDocument = typed<RejectStipulationMutation, RejectStipulationMutationVariables>(
  "mutation RejectStipulation($id:ID!$input:StipulationReason!){rejectStipulation(id:$id input:$input){id status}}",
);

export const WaiveStipulationDocument = typed<WaiveStipulationMutation, WaiveStipulationMutationVariables>(
  "mutation WaiveStipulation($id:ID!$input:StipulationReason!){waiveStipulation(id:$id input:$input){id status}}",
);

export const ReopenStipulationDocument = typed<ReopenStipulationMutation, ReopenStipulationMutationVariables>(
  "mutation ReopenStipulation($id:ID!){reopenStipulation(id:$id){id status}}",
);

export const SyndicatorsDocument = typed<SyndicatorsQuery, SyndicatorsQueryVariables>(
  "query Syndicators($first:Int!$after:String$filter:SyndicatorFilter$sort:SyndicatorSort){syndicators(first:$first after:$after filter:$filter sort:$sort){nodes{id name isActive isHouse contactName email createdAt balances{wallet payable}figures{participations invested collected outstanding}}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const SyndicatorDocument = typed<SyndicatorQuery, SyndicatorQueryVariables>(
  "query Syndicator($id:ID!){syndicator(id:$id){id name referenceId email phone contactName website notes requires1099 isActive isHouse lossProtected frontsCommission participatesInBankFee maxPerDeal managementFeePercent profitSplitPercent managementFeeBasis cafRecognition profitAccrual distributionFrequency createdAt updatedAt balances{wallet payable}figures{participations invested collected paidOut outstanding}}}",
);

export const SyndicatorParticipationsDocument = typed<SyndicatorParticipationsQuery, SyndicatorParticipationsQueryVariables>(
  "query SyndicatorParticipations($id:ID!){syndicator(id:$id){id participations{id percent amount fundedAt managementFeeBasis managementFeePercent deal{id dealNumber state fundedAmount merchant{id legalName}}figures{collected charged paidOut outstanding}}}}",
);

export const SyndicatorStatementDocument = typed<SyndicatorStatementQuery, SyndicatorStatementQueryVariables>(
  "query SyndicatorStatement($id:ID!$from:Date!$to:Date!){syndicatorStatement(syndicatorId:$id from:$from to:$to){opening closing lines{occurredAt kind memo account amount balance deal{id dealNumber}}}}",
);

export const SyndicatorOptionsDocument = typed<SyndicatorOptionsQuery, SyndicatorOptionsQueryVariables>(
  "query SyndicatorOptions($q:String){syndicators(first:20 filter:{q:$q}sort:{field:NAME}){nodes{id name isActive maxPerDeal balances{wallet}}}}",
);

export const CreateSyndicatorDocument = typed<CreateSyndicatorMutation, CreateSyndicatorMutationVariables>(
  "mutation CreateSyndicator($input:NewSyndicator!){createSyndicator(input:$input){id name}}",
);

export const UpdateSyndicatorDocument = typed<UpdateSyndicatorMutation, UpdateSyndicatorMutationVariables>(
  "mutation UpdateSyndicator($id:ID!$input:UpdateSyndicator!){updateSyndicator(id:$id input:$input){id updatedAt}}",
);

export const DeleteSyndicatorDocument = typed<DeleteSyndicatorMutation, DeleteSyndicatorMutationVariables>(
  "mutation DeleteSyndicator($id:ID!){deleteSyndicator(id:$id)}",
);

export const DepositToWalletDocument = typed<DepositToWalletMutation, DepositToWalletMutationVariables>(
  "mutation DepositToWallet($id:ID!$input:WalletMove!){depositToWallet(id:$id input:$input){id balances{wallet}}}",
);

export const WithdrawFromWalletDocument = typed<WithdrawFromWalletMutation, WithdrawFromWalletMutationVariables>(
  "mutation WithdrawFromWallet($id:ID!$input:WalletMove!){withdrawFromWallet(id:$id input:$input){id balances{wallet}}}",
);

export const DealUnderwritingDocument = typed<DealUnderwritingQuery, DealUnderwritingQueryVariables>(
  "query DealUnderwriting($id:ID!){deal(id:$id){id statementAnalyses(first:10 sort:{field:VERSION direction:DESC}){nodes{id source version periodStart periodEnd monthsCovered grossDeposits mcaDeposits internalTransfers trueRevenue3m avgMonthlyTrueRevenue estimatedMcaMonthly avgDailyBalance positionCount nsfCount negativeDays altered positions alteredFlags receivedAt}totalCount}decisions(first:10 sort:{field:CREATED_AT direction:DESC}){nodes{id recommendation score category flags maxOffer metrics contributions policy{id name version}createdAt}totalCount}}}",
);

export const RunDecisionDocument = typed<RunDecisionMutation, RunDecisionMutationVariables>(
  "mutation RunDecision($dealId:ID!){runDecision(dealId:$dealId){id recommendation deal{id}}}",
);

export const UsersDocument = typed<UsersQuery, UsersQueryVariables>(
  "query Users($first:Int!$after:String$filter:UserFilter$sort:UserSort){users(first:$first after:$after filter:$filter sort:$sort){nodes{...UserFields}pageInfo{hasNextPage endCursor}totalCount}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const UserDocument = typed<UserQuery, UserQueryVariables>(
  "query User($id:ID!){user(id:$id){...UserFields}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const RolesDocument = typed<RolesQuery, RolesQueryVariables>(
  "query Roles{roles{...RoleFields}staffPermissions{permission doc}}fragment RoleFields on Role{id code name permissions updatedAt}",
);

export const CreateUserDocument = typed<CreateUserMutation, CreateUserMutationVariables>(
  "mutation CreateUser($input:NewUser!){createUser(input:$input){user{...UserFields}reset{token expiresAt mailedTo}}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const UpdateUserDocument = typed<UpdateUserMutation, UpdateUserMutationVariables>(
  "mutation UpdateUser($id:ID!$input:UpdateUser!){updateUser(id:$id input:$input){...UserFields}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const DisableUserDocument = typed<DisableUserMutation, DisableUserMutationVariables>(
  "mutation DisableUser($id:ID!){disableUser(id:$id){...UserFields}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const EnableUserDocument = typed<EnableUserMutation, EnableUserMutationVariables>(
  "mutation EnableUser($id:ID!){enableUser(id:$id){...UserFields}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const ResetUserPasswordDocument = typed<ResetUserPasswordMutation, ResetUserPasswordMutationVariables>(
  "mutation ResetUserPassword($id:ID!){resetUserPassword(id:$id){token expiresAt mailedTo}}",
);

export const DropUserSecondFactorDocument = typed<DropUserSecondFactorMutation, DropUserSecondFactorMutationVariables>(
  "mutation DropUserSecondFactor($id:ID!){dropUserSecondFactor(id:$id){...UserFields}}fragment UserFields on User{id email name isActive roleId secondFactor passwordChangedAt lastLoginAt createdAt updatedAt role{id name}}",
);

export const EndUserSessionsDocument = typed<EndUserSessionsMutation, EndUserSessionsMutationVariables>(
  "mutation EndUserSessions($id:ID!){endUserSessions(id:$id)}",
);

export const CreateRoleDocument = typed<CreateRoleMutation, CreateRoleMutationVariables>(
  "mutation CreateRole($input:NewRole!){createRole(input:$input){...RoleFields}}fragment RoleFields on Role{id code name permissions updatedAt}",
);

export const UpdateRoleDocument = typed<UpdateRoleMutation, UpdateRoleMutationVariables>(
  "mutation UpdateRole($id:ID!$input:UpdateRole!){updateRole(id:$id input:$input){...RoleFields}}fragment RoleFields on Role{id code name permissions updatedAt}",
);

export const DeleteRoleDocument = typed<DeleteRoleMutation, DeleteRoleMutationVariables>(
  "mutation DeleteRole($id:ID!){deleteRole(id:$id)}",
);

export const WebhookEndpointsDocument = typed<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>(
  "query WebhookEndpoints($first:Int!$after:String$filter:WebhookEndpointFilter$sort:WebhookEndpointSort){webhookEndpoints(first:$first after:$after filter:$filter sort:$sort){nodes{...WebhookEndpointFields}pageInfo{hasNextPage endCursor}totalCount}}fragment WebhookEndpointFields on WebhookEndpoint{id url events isActive failureStreak disabledAt disabledReason lastDeliveredAt createdAt}",
);

export const WebhookEndpointDocument = typed<WebhookEndpointQuery, WebhookEndpointQueryVariables>(
  "query WebhookEndpoint($id:ID!){webhookEndpoint(id:$id){...WebhookEndpointFields}}fragment WebhookEndpointFields on WebhookEndpoint{id url events isActive failureStreak disabledAt disabledReason lastDeliveredAt createdAt}",
);

export const WebhookDeliveriesDocument = typed<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>(
  "query WebhookDeliveries($first:Int!$after:String$filter:WebhookDeliveryFilter$sort:WebhookDeliverySort){webhookDeliveries(first:$first after:$after filter:$filter sort:$sort){nodes{id event status attempts responseStatus error durationMs deliveredAt createdAt endpoint{id url}}pageInfo{hasNextPage endCursor}totalCount}}",
);

export const WebhookDeliveryDocument = typed<WebhookDeliveryQuery, WebhookDeliveryQueryVariables>(
  "query WebhookDelivery($id:ID!){webhookDelivery(id:$id){id event status attempts payload deliveredAt createdAt endpoint{id url}tries{id number responseStatus durationMs error responseSnippet createdAt}}}",
);

export const CreateWebhookEndpointDocument = typed<CreateWebhookEndpointMutation, CreateWebhookEndpointMutationVariables>(
  "mutation CreateWebhookEndpoint($input:NewWebhookEndpoint!){createWebhookEndpoint(input:$input){secret webhookEndpoint{...WebhookEndpointFields}}}fragment WebhookEndpointFields on WebhookEndpoint{id url events isActive failureStreak disabledAt disabledReason lastDeliveredAt createdAt}",
);

export const UpdateWebhookEndpointDocument = typed<UpdateWebhookEndpointMutation, UpdateWebhookEndpointMutationVariables>(
  "mutation UpdateWebhookEndpoint($id:ID!$input:UpdateWebhookEndpoint!){updateWebhookEndpoint(id:$id input:$input){...WebhookEndpointFields}}fragment WebhookEndpointFields on WebhookEndpoint{id url events isActive failureStreak disabledAt disabledReason lastDeliveredAt createdAt}",
);

export const DeleteWebhookEndpointDocument = typed<DeleteWebhookEndpointMutation, DeleteWebhookEndpointMutationVariables>(
  "mutation DeleteWebhookEndpoint($id:ID!){deleteWebhookEndpoint(id:$id)}",
);

export const RotateWebhookSecretDocument = typed<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>(
  "mutation RotateWebhookSecret($id:ID!){rotateWebhookSecret(id:$id){secret webhookEndpoint{id}}}",
);

export const TestWebhookEndpointDocument = typed<TestWebhookEndpointMutation, TestWebhookEndpointMutationVariables>(
  "mutation TestWebhookEndpoint($id:ID!$event:String!){testWebhookEndpoint(id:$id event:$event){id status}}",
);

export const RedeliverWebhookDocument = typed<RedeliverWebhookMutation, RedeliverWebhookMutationVariables>(
  "mutation RedeliverWebhook($id:ID!){redeliverWebhook(id:$id){id status}}",
);
