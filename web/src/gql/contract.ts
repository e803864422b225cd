// Generated from the graph's schema and the description of the REST API by codegen.mjs (run `make generate`). Do not edit.

/** Every scope of API keys, besides *:read, which reads everything. */
export const scopes: readonly string[] = [
  "applications:read",
  "applications:write",
  "communications:read",
  "communications:write",
  "compliance:read",
  "compliance:write",
  "credit-facilities:read",
  "credit-facilities:write",
  "deals:read",
  "deals:write",
  "funders:read",
  "funders:write",
  "isos:read",
  "isos:write",
  "leads:read",
  "leads:write",
  "merchants:read",
  "merchants:write",
  "payments:read",
  "payments:write",
  "payouts:read",
  "payouts:write",
  "renewals:read",
  "renewals:write",
  "statement-analysis:read",
  "statement-analysis:write",
  "submissions:read",
  "submissions:write",
  "syndicators:read",
  "syndicators:write",
  "webhooks:read",
  "webhooks:write"
];

/** Fields of a lead or a merchant that form answers can map to. */
export const answerTargets: readonly string[] = [
  "lead.businessName",
  "lead.contactName",
  "lead.dbaName",
  "lead.email",
  "lead.notes",
  "lead.phone",
  "lead.requestedAmount",
  "lead.source",
  "merchant.addressLine1",
  "merchant.addressLine2",
  "merchant.annualRevenue",
  "merchant.businessType",
  "merchant.city",
  "merchant.dbaName",
  "merchant.eCommerce",
  "merchant.email",
  "merchant.federalId",
  "merchant.homeBased",
  "merchant.industry",
  "merchant.legalName",
  "merchant.naicsCode",
  "merchant.phone",
  "merchant.postalCode",
  "merchant.referenceId",
  "merchant.sicCode",
  "merchant.startedOn",
  "merchant.state",
  "merchant.stateOfIncorporation",
  "merchant.website"
];

/** The event catalog: every kind of event, with an example payload. */
export const eventKinds: readonly { event: string; description: string; version: number; example: unknown }[] = [
  {
    "event": "deal.created",
    "description": "A deal was created, by staff, the API, a portal or email.",
    "version": 1,
    "example": {
      "dealId": 1042,
      "dealNumber": "D-001042",
      "merchantId": 311,
      "state": "INCEPTION",
      "productType": "MCA",
      "fundedAmount": "50000.00"
    }
  },
  {
    "event": "deal.state_changed",
    "description": "A deal moved to a new state, by staff, the API, automation or an early payoff.",
    "version": 1,
    "example": {
      "dealId": 1042,
      "dealNumber": "D-001042",
      "from": "PREFUNDED",
      "to": "FUNDED",
      "trigger": "API"
    }
  },
  {
    "event": "merchant.created",
    "description": "A merchant was created.",
    "version": 1,
    "example": {
      "merchantId": 311,
      "legalName": "Harbor Street Bakery LLC"
    }
  },
  {
    "event": "lead.created",
    "description": "A lead was created.",
    "version": 1,
    "example": {
      "leadId": 87,
      "businessName": "Harbor Street Bakery LLC",
      "status": "NEW",
      "source": "website"
    }
  },
  {
    "event": "lead.status_changed",
    "description": "A lead's status changed.",
    "version": 1,
    "example": {
      "leadId": 87,
      "from": "NEW",
      "to": "CONTACTED"
    }
  },
  {
    "event": "submission.status_changed",
    "description": "A submission moved to another status of the pipeline.",
    "version": 1,
    "example": {
      "submissionId": 2204,
      "dealId": 1042,
      "funderId": 6,
      "from": "UNDER_REVIEW",
      "to": "OFFER_RECEIVED"
    }
  },
  {
    "event": "payment.paid",
    "description": "A payment was marked as paid: by staff, by the processor or through the API.",
    "version": 1,
    "example": {
      "paymentId": 50121,
      "dealId": 1042,
      "amount": "515.88",
      "source": "PROCESSOR"
    }
  },
  {
    "event": "payment.bounced",
    "description": "A payment was returned by the bank.",
    "version": 1,
    "example": {
      "paymentId": 50121,
      "dealId": 1042,
      "amount": "515.88",
      "returnCode": "R01",
      "reason": "Insufficient Funds"
    }
  },
  {
    "event": "esign.signed",
    "description": "One party signed a document that was sent for signature.",
    "version": 1,
    "example": {
      "signatureRequestId": 731,
      "dealId": 1042,
      "signerEmail": "owner@harborstreet.example"
    }
  },
  {
    "event": "esign.completed",
    "description": "Every party signed; the signed document is filed.",
    "version": 1,
    "example": {
      "signatureRequestId": 731,
      "dealId": 1042,
      "documentId": 918,
      "documentUrl": "https://funding.example.com/documents/918"
    }
  },
  {
    "event": "esign.declined",
    "description": "A signer declined, which ends the signature request.",
    "version": 1,
    "example": {
      "signatureRequestId": 731,
      "dealId": 1042,
      "signerEmail": "owner@harborstreet.example",
      "reason": "The payment is higher than agreed."
    }
  },
  {
    "event": "webhook.test",
    "description": "A test of the endpoint was requested. It is sent to that endpoint regardless of its events.",
    "version": 1,
    "example": {
      "endpointId": 12,
      "message": "This is a test delivery. Nothing has happened."
    }
  }
];
