-- Create "api_keys" table
CREATE TABLE `api_keys` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `purpose` text NULL,
  `kind` text NOT NULL,
  `scopes` json NOT NULL,
  `legacy_flags` json NULL,
  `ip_allow_list` json NULL,
  `rate_limit` integer NOT NULL DEFAULT (120),
  `token_hash` blob NOT NULL,
  `token_last4` text NOT NULL,
  `call_count` integer NOT NULL DEFAULT (0),
  `last_used_address` text NULL,
  `expires_at` datetime NULL,
  `retires_at` datetime NULL,
  `revoked_at` datetime NULL,
  `last_used_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `lineage_id` integer NULL,
  `replaced_by_id` integer NULL,
  CONSTRAINT `api_keys_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `api_keys_api_keys_rotations` FOREIGN KEY (`lineage_id`) REFERENCES `api_keys` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `api_keys_api_keys_replaces` FOREIGN KEY (`replaced_by_id`) REFERENCES `api_keys` (`id`) ON DELETE RESTRICT
);
-- Create index "api_keys_token_hash_key" to table: "api_keys"
CREATE UNIQUE INDEX `api_keys_token_hash_key` ON `api_keys` (`token_hash`);
-- Create index "apikey_tenant_id_id" to table: "api_keys"
CREATE INDEX `apikey_tenant_id_id` ON `api_keys` (`tenant_id`, `id`);
-- Create index "apikey_tenant_id_name" to table: "api_keys"
CREATE INDEX `apikey_tenant_id_name` ON `api_keys` (`tenant_id`, `name`);
-- Create "accounts" table
CREATE TABLE `accounts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `code` text NOT NULL,
  `name` text NOT NULL,
  `type` text NOT NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `accounts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "account_tenant_id_id" to table: "accounts"
CREATE INDEX `account_tenant_id_id` ON `accounts` (`tenant_id`, `id`);
-- Create index "account_tenant_id_code" to table: "accounts"
CREATE UNIQUE INDEX `account_tenant_id_code` ON `accounts` (`tenant_id`, `code`);
-- Create "admin_tokens" table
CREATE TABLE `admin_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `name` text NOT NULL,
  `token_hash` blob NOT NULL,
  `token_last4` text NOT NULL,
  `expires_at` datetime NULL,
  `revoked_at` datetime NULL
);
-- Create index "admin_tokens_token_hash_key" to table: "admin_tokens"
CREATE UNIQUE INDEX `admin_tokens_token_hash_key` ON `admin_tokens` (`token_hash`);
-- Create "application_submissions" table
CREATE TABLE `application_submissions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `payload` json NOT NULL,
  `status` text NOT NULL DEFAULT ('RECEIVED'),
  `ip` text NULL,
  `ticket` blob NULL,
  `tenant_id` integer NOT NULL,
  `form_id` integer NOT NULL,
  `lead_id` integer NULL,
  CONSTRAINT `application_submissions_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `application_submissions_forms_form` FOREIGN KEY (`form_id`) REFERENCES `forms` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `application_submissions_leads_lead` FOREIGN KEY (`lead_id`) REFERENCES `leads` (`id`) ON DELETE SET NULL
);
-- Create index "applicationsubmission_tenant_id_id" to table: "application_submissions"
CREATE INDEX `applicationsubmission_tenant_id_id` ON `application_submissions` (`tenant_id`, `id`);
-- Create index "applicationsubmission_tenant_id_created_at_id" to table: "application_submissions"
CREATE INDEX `applicationsubmission_tenant_id_created_at_id` ON `application_submissions` (`tenant_id`, `created_at`, `id`);
-- Create index "applicationsubmission_tenant_id_updated_at_id" to table: "application_submissions"
CREATE INDEX `applicationsubmission_tenant_id_updated_at_id` ON `application_submissions` (`tenant_id`, `updated_at`, `id`);
-- Create index "applicationsubmission_tenant_id_status_id" to table: "application_submissions"
CREATE INDEX `applicationsubmission_tenant_id_status_id` ON `application_submissions` (`tenant_id`, `status`, `id`);
-- Create index "applicationsubmission_tenant_id_form_id_id" to table: "application_submissions"
CREATE INDEX `applicationsubmission_tenant_id_form_id_id` ON `application_submissions` (`tenant_id`, `form_id`, `id`);
-- Create index "applicationsubmission_tenant_id_ticket" to table: "application_submissions"
CREATE UNIQUE INDEX `applicationsubmission_tenant_id_ticket` ON `application_submissions` (`tenant_id`, `ticket`);
-- Create index "applicationsubmission_tenant_id_lead_id" to table: "application_submissions"
CREATE INDEX `applicationsubmission_tenant_id_lead_id` ON `application_submissions` (`tenant_id`, `lead_id`);
-- Create "approvals" table
CREATE TABLE `approvals` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `state` text NOT NULL DEFAULT ('DRAFT'),
  `share_token` blob NULL,
  `share_token_hash` blob NULL,
  `counter_accepted` bool NULL,
  `funded_amount` decimal NULL,
  `payback_amount` decimal NULL,
  `epo_discount` decimal NULL,
  `counter_amount` decimal NULL,
  `factor_rate` decimal NULL,
  `bank_fee_percent` decimal NULL,
  `counter_factor` decimal NULL,
  `counter_bank_fee_percent` decimal NULL,
  `term_days` integer NULL,
  `counter_term_days` integer NULL,
  `notes` text NULL,
  `counter_note` text NULL,
  `declined_reason` text NULL,
  `accepted_by` text NULL,
  `accepted_from` text NULL,
  `offer_sent_at` datetime NULL,
  `accepted_at` datetime NULL,
  `expires_at` datetime NULL,
  `counter_at` datetime NULL,
  `counter_resolved_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `submission_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  CONSTRAINT `approvals_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `approvals_submissions_submission` FOREIGN KEY (`submission_id`) REFERENCES `submissions` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `approvals_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT
);
-- Create index "approvals_share_token_hash_key" to table: "approvals"
CREATE UNIQUE INDEX `approvals_share_token_hash_key` ON `approvals` (`share_token_hash`);
-- Create index "approval_tenant_id_id" to table: "approvals"
CREATE INDEX `approval_tenant_id_id` ON `approvals` (`tenant_id`, `id`);
-- Create index "approval_tenant_id_submission_id_id" to table: "approvals"
CREATE INDEX `approval_tenant_id_submission_id_id` ON `approvals` (`tenant_id`, `submission_id`, `id`);
-- Create index "approval_tenant_id_deal_id_id" to table: "approvals"
CREATE INDEX `approval_tenant_id_deal_id_id` ON `approvals` (`tenant_id`, `deal_id`, `id`);
-- Create index "approval_tenant_id_state_expires_at" to table: "approvals"
CREATE INDEX `approval_tenant_id_state_expires_at` ON `approvals` (`tenant_id`, `state`, `expires_at`);
-- Create index "approval_accepted" to table: "approvals"
CREATE UNIQUE INDEX `approval_accepted` ON `approvals` (`tenant_id`, `deal_id`) WHERE accepted_at IS NOT NULL;
-- Create index "approval_shared" to table: "approvals"
CREATE INDEX `approval_shared` ON `approvals` (`expires_at`) WHERE share_token IS NOT NULL;
-- Create "audit_entries" table
CREATE TABLE `audit_entries` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `actor_kind` text NOT NULL,
  `actor_id` integer NULL,
  `actor_name` text NOT NULL,
  `surface` text NOT NULL,
  `action` text NOT NULL,
  `entity` text NOT NULL,
  `entity_id` integer NOT NULL,
  `deal_id` integer NULL,
  `request_id` text NOT NULL,
  `before` json NULL,
  `after` json NULL,
  `effects` json NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `audit_entries_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "auditentry_tenant_id_id" to table: "audit_entries"
CREATE INDEX `auditentry_tenant_id_id` ON `audit_entries` (`tenant_id`, `id`);
-- Create index "auditentry_tenant_id_entity_entity_id_id" to table: "audit_entries"
CREATE INDEX `auditentry_tenant_id_entity_entity_id_id` ON `audit_entries` (`tenant_id`, `entity`, `entity_id`, `id`);
-- Create index "auditentry_tenant_id_deal_id_id" to table: "audit_entries"
CREATE INDEX `auditentry_tenant_id_deal_id_id` ON `audit_entries` (`tenant_id`, `deal_id`, `id`);
-- Create "bank_account_tokens" table
CREATE TABLE `bank_account_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `last4` text NOT NULL,
  `account_type` text NOT NULL DEFAULT ('CHECKING'),
  `token` blob NOT NULL,
  `status` text NOT NULL DEFAULT ('UNVERIFIED'),
  `bank_name` text NULL,
  `holder_name` text NULL,
  `routing_number` text NULL,
  `verified_at` datetime NULL,
  `revoked_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `merchant_id` integer NOT NULL,
  `deal_id` integer NULL,
  CONSTRAINT `bank_account_tokens_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `bank_account_tokens_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `bank_account_tokens_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT
);
-- Create index "bankaccounttoken_tenant_id_id" to table: "bank_account_tokens"
CREATE INDEX `bankaccounttoken_tenant_id_id` ON `bank_account_tokens` (`tenant_id`, `id`);
-- Create index "bankaccounttoken_tenant_id_merchant_id_status" to table: "bank_account_tokens"
CREATE INDEX `bankaccounttoken_tenant_id_merchant_id_status` ON `bank_account_tokens` (`tenant_id`, `merchant_id`, `status`);
-- Create index "bankaccounttoken_tenant_id_deal_id_status" to table: "bank_account_tokens"
CREATE INDEX `bankaccounttoken_tenant_id_deal_id_status` ON `bank_account_tokens` (`tenant_id`, `deal_id`, `status`);
-- Create "bounce_codes" table
CREATE TABLE `bounce_codes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `code` text NOT NULL,
  `title` text NOT NULL,
  `action` text NOT NULL DEFAULT ('REVIEW'),
  `return_class` text NOT NULL DEFAULT ('OTHER'),
  `retryable` bool NOT NULL DEFAULT (false),
  `fee` decimal NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `bounce_codes_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "bouncecode_tenant_id_id" to table: "bounce_codes"
CREATE INDEX `bouncecode_tenant_id_id` ON `bounce_codes` (`tenant_id`, `id`);
-- Create index "bouncecode_tenant_id_code" to table: "bounce_codes"
CREATE UNIQUE INDEX `bouncecode_tenant_id_code` ON `bounce_codes` (`tenant_id`, `code`);
-- Create "change_marks" table
CREATE TABLE `change_marks` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `version` integer NOT NULL DEFAULT (0)
);
-- Create index "change_marks_name_key" to table: "change_marks"
CREATE UNIQUE INDEX `change_marks_name_key` ON `change_marks` (`name`);
-- Create "commission_offers" table
CREATE TABLE `commission_offers` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `product_type` text NULL,
  `commission_basis` text NOT NULL,
  `commission_value` decimal NOT NULL,
  `buy_rate` decimal NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `valid_from` date NULL,
  `valid_to` date NULL,
  `notes` text NULL,
  `tenant_id` integer NOT NULL,
  `iso_id` integer NULL,
  CONSTRAINT `commission_offers_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `commission_offers_isos_iso` FOREIGN KEY (`iso_id`) REFERENCES `isos` (`id`) ON DELETE RESTRICT
);
-- Create index "commissionoffer_tenant_id_id" to table: "commission_offers"
CREATE INDEX `commissionoffer_tenant_id_id` ON `commission_offers` (`tenant_id`, `id`);
-- Create index "commissionoffer_tenant_id_iso_id" to table: "commission_offers"
CREATE INDEX `commissionoffer_tenant_id_iso_id` ON `commission_offers` (`tenant_id`, `iso_id`);
-- Create "communications" table
CREATE TABLE `communications` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `channel` text NOT NULL,
  `direction` text NOT NULL,
  `occurred_at` datetime NOT NULL,
  `from_addr` text NULL,
  `to_addr` text NULL,
  `body` text NULL,
  `recording_url` text NULL,
  `duration_sec` integer NULL,
  `tenant_id` integer NOT NULL,
  `merchant_id` integer NULL,
  `deal_id` integer NULL,
  `disposition_reason_id` integer NULL,
  `user_id` integer NULL,
  CONSTRAINT `communications_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `communications_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `communications_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `communications_disposition_reasons_disposition_reason` FOREIGN KEY (`disposition_reason_id`) REFERENCES `disposition_reasons` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `communications_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "communication_tenant_id_id" to table: "communications"
CREATE INDEX `communication_tenant_id_id` ON `communications` (`tenant_id`, `id`);
-- Create index "communication_tenant_id_created_at_id" to table: "communications"
CREATE INDEX `communication_tenant_id_created_at_id` ON `communications` (`tenant_id`, `created_at`, `id`);
-- Create index "communication_tenant_id_updated_at_id" to table: "communications"
CREATE INDEX `communication_tenant_id_updated_at_id` ON `communications` (`tenant_id`, `updated_at`, `id`);
-- Create index "communication_tenant_id_occurred_at_id" to table: "communications"
CREATE INDEX `communication_tenant_id_occurred_at_id` ON `communications` (`tenant_id`, `occurred_at`, `id`);
-- Create index "communication_tenant_id_merchant_id_id" to table: "communications"
CREATE INDEX `communication_tenant_id_merchant_id_id` ON `communications` (`tenant_id`, `merchant_id`, `id`);
-- Create index "communication_tenant_id_deal_id_id" to table: "communications"
CREATE INDEX `communication_tenant_id_deal_id_id` ON `communications` (`tenant_id`, `deal_id`, `id`);
-- Create index "communication_tenant_id_channel_id" to table: "communications"
CREATE INDEX `communication_tenant_id_channel_id` ON `communications` (`tenant_id`, `channel`, `id`);
-- Create "credit_facilities" table
CREATE TABLE `credit_facilities` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `credit_limit` decimal NOT NULL,
  `available_room` decimal NOT NULL,
  `factor_rate` decimal NULL,
  `status` text NOT NULL DEFAULT ('ACTIVE'),
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  CONSTRAINT `credit_facilities_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `credit_facilities_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT
);
-- Create index "creditfacility_tenant_id_id" to table: "credit_facilities"
CREATE INDEX `creditfacility_tenant_id_id` ON `credit_facilities` (`tenant_id`, `id`);
-- Create index "creditfacility_tenant_id_created_at_id" to table: "credit_facilities"
CREATE INDEX `creditfacility_tenant_id_created_at_id` ON `credit_facilities` (`tenant_id`, `created_at`, `id`);
-- Create index "creditfacility_tenant_id_updated_at_id" to table: "credit_facilities"
CREATE INDEX `creditfacility_tenant_id_updated_at_id` ON `credit_facilities` (`tenant_id`, `updated_at`, `id`);
-- Create index "creditfacility_tenant_id_credit_limit_id" to table: "credit_facilities"
CREATE INDEX `creditfacility_tenant_id_credit_limit_id` ON `credit_facilities` (`tenant_id`, `credit_limit`, `id`);
-- Create index "creditfacility_tenant_id_available_room_id" to table: "credit_facilities"
CREATE INDEX `creditfacility_tenant_id_available_room_id` ON `credit_facilities` (`tenant_id`, `available_room`, `id`);
-- Create index "creditfacility_tenant_id_deal_id" to table: "credit_facilities"
CREATE UNIQUE INDEX `creditfacility_tenant_id_deal_id` ON `credit_facilities` (`tenant_id`, `deal_id`);
-- Create index "creditfacility_tenant_id_status_id" to table: "credit_facilities"
CREATE INDEX `creditfacility_tenant_id_status_id` ON `credit_facilities` (`tenant_id`, `status`, `id`);
-- Create "deals" table
CREATE TABLE `deals` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `deal_number` text NOT NULL,
  `reference_id` text NULL,
  `product_type` text NOT NULL DEFAULT ('MCA'),
  `state` text NOT NULL DEFAULT ('INCEPTION'),
  `bank_fee_basis` text NULL,
  `commission_basis` text NULL,
  `epo_commission_basis` text NULL,
  `collection_frequency` text NULL,
  `collection_schedule` text NOT NULL DEFAULT ('BANKING_DAYS'),
  `uw_score_category` text NULL,
  `first_payment_date` date NULL,
  `payoff_date` date NULL,
  `is_renewal` bool NOT NULL DEFAULT (false),
  `derived_fields` json NULL,
  `funded_amount` decimal NULL,
  `payback_amount` decimal NULL,
  `application_fee` decimal NULL,
  `wire_fee` decimal NULL,
  `default_surcharge` decimal NULL,
  `payment_amount` decimal NULL,
  `renewal_payoff_amount` decimal NULL,
  `factor_rate` decimal NULL,
  `buy_rate` decimal NULL,
  `specified_percentage` decimal NULL,
  `bank_fee_value` decimal NULL,
  `epo_factor_rate` decimal NULL,
  `epo_commission_value` decimal NULL,
  `commission_value` decimal NULL,
  `term_days` integer NULL,
  `position` integer NULL,
  `epo_window_days` integer NULL,
  `collection_day` integer NULL,
  `number_of_payments` integer NULL,
  `uw_score` integer NULL,
  `funded_at` datetime NULL,
  `defaulted_at` datetime NULL,
  `external_source` text NULL,
  `external_ref` text NULL,
  `tenant_id` integer NOT NULL,
  `merchant_id` integer NOT NULL,
  `iso_id` integer NULL,
  `funded_lender_id` integer NULL,
  `inception_lender_id` integer NULL,
  `underwriter_id` integer NULL,
  `commission_offer_id` integer NULL,
  `renewed_from_deal_id` integer NULL,
  CONSTRAINT `deals_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_isos_iso` FOREIGN KEY (`iso_id`) REFERENCES `isos` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_funders_funded_lender` FOREIGN KEY (`funded_lender_id`) REFERENCES `funders` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_funders_inception_lender` FOREIGN KEY (`inception_lender_id`) REFERENCES `funders` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_users_underwriter` FOREIGN KEY (`underwriter_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_commission_offers_commission_offer` FOREIGN KEY (`commission_offer_id`) REFERENCES `commission_offers` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `deals_deals_renewals` FOREIGN KEY (`renewed_from_deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT
);
-- Create index "deal_tenant_id_id" to table: "deals"
CREATE INDEX `deal_tenant_id_id` ON `deals` (`tenant_id`, `id`);
-- Create index "deal_tenant_id_created_at_id" to table: "deals"
CREATE INDEX `deal_tenant_id_created_at_id` ON `deals` (`tenant_id`, `created_at`, `id`);
-- Create index "deal_tenant_id_updated_at_id" to table: "deals"
CREATE INDEX `deal_tenant_id_updated_at_id` ON `deals` (`tenant_id`, `updated_at`, `id`);
-- Create index "deal_tenant_id_state_id" to table: "deals"
CREATE INDEX `deal_tenant_id_state_id` ON `deals` (`tenant_id`, `state`, `id`);
-- Create index "deal_tenant_id_funded_amount_id" to table: "deals"
CREATE INDEX `deal_tenant_id_funded_amount_id` ON `deals` (`tenant_id`, `funded_amount`, `id`);
-- Create index "deal_tenant_id_payback_amount_id" to table: "deals"
CREATE INDEX `deal_tenant_id_payback_amount_id` ON `deals` (`tenant_id`, `payback_amount`, `id`);
-- Create index "deal_tenant_id_funded_at_id" to table: "deals"
CREATE INDEX `deal_tenant_id_funded_at_id` ON `deals` (`tenant_id`, `funded_at`, `id`);
-- Create index "deal_tenant_id_first_payment_date_id" to table: "deals"
CREATE INDEX `deal_tenant_id_first_payment_date_id` ON `deals` (`tenant_id`, `first_payment_date`, `id`);
-- Create index "deal_tenant_id_deal_number" to table: "deals"
CREATE UNIQUE INDEX `deal_tenant_id_deal_number` ON `deals` (`tenant_id`, `deal_number`);
-- Create index "deal_tenant_id_merchant_id" to table: "deals"
CREATE INDEX `deal_tenant_id_merchant_id` ON `deals` (`tenant_id`, `merchant_id`);
-- Create index "deal_tenant_id_iso_id" to table: "deals"
CREATE INDEX `deal_tenant_id_iso_id` ON `deals` (`tenant_id`, `iso_id`);
-- Create index "deal_tenant_id_renewed_from_deal_id" to table: "deals"
CREATE INDEX `deal_tenant_id_renewed_from_deal_id` ON `deals` (`tenant_id`, `renewed_from_deal_id`);
-- Create index "deal_tenant_id_external_source_external_ref" to table: "deals"
CREATE UNIQUE INDEX `deal_tenant_id_external_source_external_ref` ON `deals` (`tenant_id`, `external_source`, `external_ref`);
-- Create "decision_results" table
CREATE TABLE `decision_results` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `recommendation` text NOT NULL,
  `score` integer NOT NULL,
  `category` text NOT NULL,
  `flags` json NOT NULL,
  `max_offer` json NULL,
  `metrics` json NULL,
  `contributions` json NULL,
  `inputs_hash` blob NOT NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `policy_id` integer NULL,
  `statement_analysis_id` integer NULL,
  CONSTRAINT `decision_results_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `decision_results_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `decision_results_underwriting_policies_policy` FOREIGN KEY (`policy_id`) REFERENCES `underwriting_policies` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `decision_results_statement_analyses_statement_analysis` FOREIGN KEY (`statement_analysis_id`) REFERENCES `statement_analyses` (`id`) ON DELETE RESTRICT
);
-- Create index "decisionresult_tenant_id_id" to table: "decision_results"
CREATE INDEX `decisionresult_tenant_id_id` ON `decision_results` (`tenant_id`, `id`);
-- Create index "decisionresult_tenant_id_created_at_id" to table: "decision_results"
CREATE INDEX `decisionresult_tenant_id_created_at_id` ON `decision_results` (`tenant_id`, `created_at`, `id`);
-- Create index "decisionresult_tenant_id_score_id" to table: "decision_results"
CREATE INDEX `decisionresult_tenant_id_score_id` ON `decision_results` (`tenant_id`, `score`, `id`);
-- Create index "decisionresult_tenant_id_deal_id_id" to table: "decision_results"
CREATE INDEX `decisionresult_tenant_id_deal_id_id` ON `decision_results` (`tenant_id`, `deal_id`, `id`);
-- Create "decline_reasons" table
CREATE TABLE `decline_reasons` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `code` text NOT NULL,
  `name` text NOT NULL,
  `position` integer NOT NULL DEFAULT (0),
  `is_active` bool NOT NULL DEFAULT (true),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `decline_reasons_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "declinereason_tenant_id_id" to table: "decline_reasons"
CREATE INDEX `declinereason_tenant_id_id` ON `decline_reasons` (`tenant_id`, `id`);
-- Create index "declinereason_tenant_id_code" to table: "decline_reasons"
CREATE UNIQUE INDEX `declinereason_tenant_id_code` ON `decline_reasons` (`tenant_id`, `code`);
-- Create "delivery_attempts" table
CREATE TABLE `delivery_attempts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `number` integer NOT NULL,
  `response_status` integer NULL,
  `duration_ms` integer NOT NULL,
  `error` text NULL,
  `response_snippet` text NULL,
  `tenant_id` integer NOT NULL,
  `delivery_id` integer NOT NULL,
  CONSTRAINT `delivery_attempts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `delivery_attempts_webhook_deliveries_delivery` FOREIGN KEY (`delivery_id`) REFERENCES `webhook_deliveries` (`id`) ON DELETE CASCADE
);
-- Create index "deliveryattempt_tenant_id_id" to table: "delivery_attempts"
CREATE INDEX `deliveryattempt_tenant_id_id` ON `delivery_attempts` (`tenant_id`, `id`);
-- Create index "deliveryattempt_delivery_id_number" to table: "delivery_attempts"
CREATE UNIQUE INDEX `deliveryattempt_delivery_id_number` ON `delivery_attempts` (`delivery_id`, `number`);
-- Create "disbursements" table
CREATE TABLE `disbursements` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `method` text NOT NULL,
  `amount` decimal NOT NULL,
  `status` text NOT NULL DEFAULT ('PENDING'),
  `external_transfer_id` text NULL,
  `reference_id` text NULL,
  `failure_reason` text NULL,
  `sent_at` datetime NULL,
  `settled_at` datetime NULL,
  `failed_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `bank_account_token_id` integer NULL,
  `loc_draw_id` integer NULL,
  CONSTRAINT `disbursements_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `disbursements_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `disbursements_bank_account_tokens_bank_account_token` FOREIGN KEY (`bank_account_token_id`) REFERENCES `bank_account_tokens` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `disbursements_loc_draws_loc_draw` FOREIGN KEY (`loc_draw_id`) REFERENCES `loc_draws` (`id`) ON DELETE RESTRICT
);
-- Create index "disbursement_tenant_id_id" to table: "disbursements"
CREATE INDEX `disbursement_tenant_id_id` ON `disbursements` (`tenant_id`, `id`);
-- Create index "disbursement_tenant_id_deal_id_id" to table: "disbursements"
CREATE INDEX `disbursement_tenant_id_deal_id_id` ON `disbursements` (`tenant_id`, `deal_id`, `id`);
-- Create index "disbursement_tenant_id_status_id" to table: "disbursements"
CREATE INDEX `disbursement_tenant_id_status_id` ON `disbursements` (`tenant_id`, `status`, `id`);
-- Create index "disbursement_tenant_id_external_transfer_id" to table: "disbursements"
CREATE INDEX `disbursement_tenant_id_external_transfer_id` ON `disbursements` (`tenant_id`, `external_transfer_id`);
-- Create "disclosures" table
CREATE TABLE `disclosures` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `state` text NOT NULL,
  `computed` json NOT NULL,
  `inputs_hash` blob NOT NULL,
  `status` text NOT NULL DEFAULT ('DRAFT'),
  `delivered_at` datetime NULL,
  `signed_at` datetime NULL,
  `superseded_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `signature_request_id` integer NULL,
  `document_id` integer NULL,
  CONSTRAINT `disclosures_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `disclosures_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `disclosures_signature_requests_signature_request` FOREIGN KEY (`signature_request_id`) REFERENCES `signature_requests` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `disclosures_documents_document` FOREIGN KEY (`document_id`) REFERENCES `documents` (`id`) ON DELETE RESTRICT
);
-- Create index "disclosure_tenant_id_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_id` ON `disclosures` (`tenant_id`, `id`);
-- Create index "disclosure_tenant_id_created_at_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_created_at_id` ON `disclosures` (`tenant_id`, `created_at`, `id`);
-- Create index "disclosure_tenant_id_updated_at_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_updated_at_id` ON `disclosures` (`tenant_id`, `updated_at`, `id`);
-- Create index "disclosure_tenant_id_state_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_state_id` ON `disclosures` (`tenant_id`, `state`, `id`);
-- Create index "disclosure_tenant_id_status_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_status_id` ON `disclosures` (`tenant_id`, `status`, `id`);
-- Create index "disclosure_tenant_id_deal_id_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_deal_id_id` ON `disclosures` (`tenant_id`, `deal_id`, `id`);
-- Create index "disclosure_in_force" to table: "disclosures"
CREATE UNIQUE INDEX `disclosure_in_force` ON `disclosures` (`tenant_id`, `deal_id`, `state`) WHERE superseded_at IS NULL;
-- Create index "disclosure_tenant_id_signature_request_id" to table: "disclosures"
CREATE INDEX `disclosure_tenant_id_signature_request_id` ON `disclosures` (`tenant_id`, `signature_request_id`);
-- Create "disposition_reasons" table
CREATE TABLE `disposition_reasons` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `code` text NOT NULL,
  `name` text NOT NULL,
  `position` integer NOT NULL DEFAULT (0),
  `is_active` bool NOT NULL DEFAULT (true),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `disposition_reasons_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "dispositionreason_tenant_id_id" to table: "disposition_reasons"
CREATE INDEX `dispositionreason_tenant_id_id` ON `disposition_reasons` (`tenant_id`, `id`);
-- Create index "dispositionreason_tenant_id_code" to table: "disposition_reasons"
CREATE UNIQUE INDEX `dispositionreason_tenant_id_code` ON `disposition_reasons` (`tenant_id`, `code`);
-- Create "documents" table
CREATE TABLE `documents` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `name` text NOT NULL,
  `kind` text NOT NULL,
  `media_type` text NOT NULL,
  `size` integer NULL,
  `sha256` blob NULL,
  `storage_key` text NULL,
  `url` text NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NULL,
  `merchant_id` integer NULL,
  `uploaded_by_id` integer NULL,
  CONSTRAINT `documents_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `documents_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `documents_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `documents_users_uploaded_by` FOREIGN KEY (`uploaded_by_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "document_tenant_id_id" to table: "documents"
CREATE INDEX `document_tenant_id_id` ON `documents` (`tenant_id`, `id`);
-- Create index "document_tenant_id_storage_key" to table: "documents"
CREATE UNIQUE INDEX `document_tenant_id_storage_key` ON `documents` (`tenant_id`, `storage_key`);
-- Create index "document_tenant_id_deal_id_id" to table: "documents"
CREATE INDEX `document_tenant_id_deal_id_id` ON `documents` (`tenant_id`, `deal_id`, `id`);
-- Create index "document_tenant_id_merchant_id_id" to table: "documents"
CREATE INDEX `document_tenant_id_merchant_id_id` ON `documents` (`tenant_id`, `merchant_id`, `id`);
-- Create "forms" table
CREATE TABLE `forms` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `slug` text NOT NULL,
  `fields` json NOT NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `forms_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "form_tenant_id_id" to table: "forms"
CREATE INDEX `form_tenant_id_id` ON `forms` (`tenant_id`, `id`);
-- Create index "form_tenant_id_slug" to table: "forms"
CREATE UNIQUE INDEX `form_tenant_id_slug` ON `forms` (`tenant_id`, `slug`);
-- Create "funders" table
CREATE TABLE `funders` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `is_house` bool NOT NULL DEFAULT (false),
  `email` text NULL,
  `phone` text NULL,
  `contact_name` text NULL,
  `website` text NULL,
  `notes` text NULL,
  `external_source` text NULL,
  `external_ref` text NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `funders_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "funder_tenant_id_id" to table: "funders"
CREATE INDEX `funder_tenant_id_id` ON `funders` (`tenant_id`, `id`);
-- Create index "funder_tenant_id_created_at_id" to table: "funders"
CREATE INDEX `funder_tenant_id_created_at_id` ON `funders` (`tenant_id`, `created_at`, `id`);
-- Create index "funder_tenant_id_updated_at_id" to table: "funders"
CREATE INDEX `funder_tenant_id_updated_at_id` ON `funders` (`tenant_id`, `updated_at`, `id`);
-- Create index "funder_tenant_id_name_id" to table: "funders"
CREATE INDEX `funder_tenant_id_name_id` ON `funders` (`tenant_id`, `name`, `id`);
-- Create index "funder_house" to table: "funders"
CREATE UNIQUE INDEX `funder_house` ON `funders` (`tenant_id`) WHERE is_house;
-- Create index "funder_tenant_id_external_source_external_ref" to table: "funders"
CREATE UNIQUE INDEX `funder_tenant_id_external_source_external_ref` ON `funders` (`tenant_id`, `external_source`, `external_ref`);
-- Create "funding_overrides" table
CREATE TABLE `funding_overrides` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `block_code` text NOT NULL,
  `reason` text NOT NULL,
  `terms_hash` blob NOT NULL,
  `voided_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `funding_overrides_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `funding_overrides_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `funding_overrides_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "fundingoverride_tenant_id_id" to table: "funding_overrides"
CREATE INDEX `fundingoverride_tenant_id_id` ON `funding_overrides` (`tenant_id`, `id`);
-- Create index "fundingoverride_standing" to table: "funding_overrides"
CREATE UNIQUE INDEX `fundingoverride_standing` ON `funding_overrides` (`tenant_id`, `deal_id`, `block_code`) WHERE voided_at IS NULL;
-- Create "funding_policies" table
CREATE TABLE `funding_policies` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `version` integer NOT NULL,
  `profile` text NOT NULL,
  `blocks` json NOT NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `funding_policies_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "fundingpolicy_tenant_id_id" to table: "funding_policies"
CREATE INDEX `fundingpolicy_tenant_id_id` ON `funding_policies` (`tenant_id`, `id`);
-- Create index "fundingpolicy_tenant_id_version" to table: "funding_policies"
CREATE UNIQUE INDEX `fundingpolicy_tenant_id_version` ON `funding_policies` (`tenant_id`, `version`);
-- Create "isos" table
CREATE TABLE `isos` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `type` text NOT NULL DEFAULT ('BROKER'),
  `is_active` bool NOT NULL DEFAULT (true),
  `domains` json NOT NULL,
  `email_addresses` json NOT NULL,
  `email` text NULL,
  `phone` text NULL,
  `contact_name` text NULL,
  `website` text NULL,
  `notes` text NULL,
  `address_line1` text NULL,
  `address_line2` text NULL,
  `city` text NULL,
  `state` text NULL,
  `postal_code` text NULL,
  `ein` text NULL,
  `entity_type` text NULL,
  `signer_name` text NULL,
  `signer_title` text NULL,
  `iso_type` text NULL,
  `requires_1099` bool NOT NULL DEFAULT (false),
  `commission_rule` json NULL,
  `agreement_signed_at` datetime NULL,
  `id_on_file_at` datetime NULL,
  `voided_check_at` datetime NULL,
  `w9_on_file_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `isos_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "iso_tenant_id_id" to table: "isos"
CREATE INDEX `iso_tenant_id_id` ON `isos` (`tenant_id`, `id`);
-- Create index "iso_tenant_id_created_at_id" to table: "isos"
CREATE INDEX `iso_tenant_id_created_at_id` ON `isos` (`tenant_id`, `created_at`, `id`);
-- Create index "iso_tenant_id_updated_at_id" to table: "isos"
CREATE INDEX `iso_tenant_id_updated_at_id` ON `isos` (`tenant_id`, `updated_at`, `id`);
-- Create index "iso_tenant_id_name_id" to table: "isos"
CREATE INDEX `iso_tenant_id_name_id` ON `isos` (`tenant_id`, `name`, `id`);
-- Create "idempotency_records" table
CREATE TABLE `idempotency_records` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `claim` blob NOT NULL,
  `body_hash` blob NOT NULL,
  `status` integer NOT NULL,
  `body` blob NOT NULL,
  `sealed` bool NOT NULL DEFAULT (false),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `idempotency_records_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "idempotencyrecord_tenant_id_id" to table: "idempotency_records"
CREATE INDEX `idempotencyrecord_tenant_id_id` ON `idempotency_records` (`tenant_id`, `id`);
-- Create index "idempotencyrecord_tenant_id_claim" to table: "idempotency_records"
CREATE UNIQUE INDEX `idempotencyrecord_tenant_id_claim` ON `idempotency_records` (`tenant_id`, `claim`);
-- Create index "idempotencyrecord_created_at" to table: "idempotency_records"
CREATE INDEX `idempotencyrecord_created_at` ON `idempotency_records` (`created_at`);
-- Create "inbound_events" table
CREATE TABLE `inbound_events` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `source` text NOT NULL,
  `external_id` text NOT NULL,
  `dedupe_key` blob NULL,
  `payload` json NOT NULL,
  `state` text NOT NULL DEFAULT ('RECEIVED'),
  `received_at` datetime NOT NULL,
  `error` text NULL,
  `applied_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NULL,
  `merchant_id` integer NULL,
  CONSTRAINT `inbound_events_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `inbound_events_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `inbound_events_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT
);
-- Create index "inboundevent_tenant_id_id" to table: "inbound_events"
CREATE INDEX `inboundevent_tenant_id_id` ON `inbound_events` (`tenant_id`, `id`);
-- Create index "inboundevent_tenant_id_dedupe_key" to table: "inbound_events"
CREATE UNIQUE INDEX `inboundevent_tenant_id_dedupe_key` ON `inbound_events` (`tenant_id`, `dedupe_key`);
-- Create index "inboundevent_tenant_id_state_id" to table: "inbound_events"
CREATE INDEX `inboundevent_tenant_id_state_id` ON `inbound_events` (`tenant_id`, `state`, `id`);
-- Create index "inboundevent_tenant_id_deal_id_id" to table: "inbound_events"
CREATE INDEX `inboundevent_tenant_id_deal_id_id` ON `inbound_events` (`tenant_id`, `deal_id`, `id`);
-- Create index "inboundevent_tenant_id_merchant_id_id" to table: "inbound_events"
CREATE INDEX `inboundevent_tenant_id_merchant_id_id` ON `inbound_events` (`tenant_id`, `merchant_id`, `id`);
-- Create index "inboundevent_remembered" to table: "inbound_events"
CREATE INDEX `inboundevent_remembered` ON `inbound_events` (`received_at`) WHERE dedupe_key IS NOT NULL;
-- Create "job_leases" table
CREATE TABLE `job_leases` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `holder` text NOT NULL,
  `until` datetime NOT NULL,
  `fence` integer NOT NULL DEFAULT (0)
);
-- Create index "job_leases_name_key" to table: "job_leases"
CREATE UNIQUE INDEX `job_leases_name_key` ON `job_leases` (`name`);
-- Create "journals" table
CREATE TABLE `journals` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `kind` text NOT NULL,
  `memo` text NULL,
  `line_count` integer NOT NULL,
  `episode` integer NULL,
  `occurred_at` datetime NOT NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NULL,
  `payment_id` integer NULL,
  `reverses_id` integer NULL,
  CONSTRAINT `journals_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_journals_reversals` FOREIGN KEY (`reverses_id`) REFERENCES `journals` (`id`) ON DELETE RESTRICT
);
-- Create index "journal_tenant_id_id" to table: "journals"
CREATE INDEX `journal_tenant_id_id` ON `journals` (`tenant_id`, `id`);
-- Create index "journal_tenant_id_deal_id_id" to table: "journals"
CREATE INDEX `journal_tenant_id_deal_id_id` ON `journals` (`tenant_id`, `deal_id`, `id`);
-- Create index "journal_payment_episode" to table: "journals"
CREATE UNIQUE INDEX `journal_payment_episode` ON `journals` (`tenant_id`, `payment_id`, `episode`, `kind`) WHERE reverses_id IS NULL;
-- Create index "journal_tenant_id_reverses_id" to table: "journals"
CREATE UNIQUE INDEX `journal_tenant_id_reverses_id` ON `journals` (`tenant_id`, `reverses_id`);
-- Create "leads" table
CREATE TABLE `leads` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `business_name` text NOT NULL,
  `status` text NOT NULL DEFAULT ('NEW'),
  `requested_amount` decimal NULL,
  `dba_name` text NULL,
  `contact_name` text NULL,
  `email` text NULL,
  `phone` text NULL,
  `source` text NULL,
  `notes` text NULL,
  `next_action_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `owner_id` integer NULL,
  `merchant_id` integer NULL,
  CONSTRAINT `leads_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `leads_users_owner` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `leads_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE SET NULL
);
-- Create index "lead_tenant_id_id" to table: "leads"
CREATE INDEX `lead_tenant_id_id` ON `leads` (`tenant_id`, `id`);
-- Create index "lead_tenant_id_created_at_id" to table: "leads"
CREATE INDEX `lead_tenant_id_created_at_id` ON `leads` (`tenant_id`, `created_at`, `id`);
-- Create index "lead_tenant_id_updated_at_id" to table: "leads"
CREATE INDEX `lead_tenant_id_updated_at_id` ON `leads` (`tenant_id`, `updated_at`, `id`);
-- Create index "lead_tenant_id_business_name_id" to table: "leads"
CREATE INDEX `lead_tenant_id_business_name_id` ON `leads` (`tenant_id`, `business_name`, `id`);
-- Create index "lead_tenant_id_status_id" to table: "leads"
CREATE INDEX `lead_tenant_id_status_id` ON `leads` (`tenant_id`, `status`, `id`);
-- Create index "lead_tenant_id_next_action_at_id" to table: "leads"
CREATE INDEX `lead_tenant_id_next_action_at_id` ON `leads` (`tenant_id`, `next_action_at`, `id`);
-- Create index "lead_tenant_id_requested_amount_id" to table: "leads"
CREATE INDEX `lead_tenant_id_requested_amount_id` ON `leads` (`tenant_id`, `requested_amount`, `id`);
-- Create index "lead_tenant_id_source_id" to table: "leads"
CREATE INDEX `lead_tenant_id_source_id` ON `leads` (`tenant_id`, `source`, `id`);
-- Create index "lead_tenant_id_merchant_id" to table: "leads"
CREATE INDEX `lead_tenant_id_merchant_id` ON `leads` (`tenant_id`, `merchant_id`);
-- Create "loc_draws" table
CREATE TABLE `loc_draws` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `amount` decimal NOT NULL,
  `status` text NOT NULL DEFAULT ('REQUESTED'),
  `fee_amount` decimal NULL,
  `payback_amount` decimal NULL,
  `requested_by` text NULL,
  `declined_reason` text NULL,
  `funded_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `facility_id` integer NOT NULL,
  CONSTRAINT `loc_draws_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `loc_draws_credit_facilities_facility` FOREIGN KEY (`facility_id`) REFERENCES `credit_facilities` (`id`) ON DELETE RESTRICT
);
-- Create index "locdraw_tenant_id_id" to table: "loc_draws"
CREATE INDEX `locdraw_tenant_id_id` ON `loc_draws` (`tenant_id`, `id`);
-- Create index "locdraw_tenant_id_facility_id_id" to table: "loc_draws"
CREATE INDEX `locdraw_tenant_id_facility_id_id` ON `loc_draws` (`tenant_id`, `facility_id`, `id`);
-- Create "login_throttles" table
CREATE TABLE `login_throttles` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `who` text NOT NULL,
  `failures` integer NOT NULL DEFAULT (0),
  `last_at` datetime NOT NULL,
  `until` datetime NOT NULL
);
-- Create index "login_throttles_who_key" to table: "login_throttles"
CREATE UNIQUE INDEX `login_throttles_who_key` ON `login_throttles` (`who`);
-- Create index "loginthrottle_last_at" to table: "login_throttles"
CREATE INDEX `loginthrottle_last_at` ON `login_throttles` (`last_at`);
-- Create "merchants" table
CREATE TABLE `merchants` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `legal_name` text NOT NULL,
  `started_on` date NULL,
  `annual_revenue` decimal NULL,
  `federal_id_digits` text NULL,
  `dba_name` text NULL,
  `reference_id` text NULL,
  `federal_id` text NULL,
  `industry` text NULL,
  `email` text NULL,
  `phone` text NULL,
  `website` text NULL,
  `address_line1` text NULL,
  `address_line2` text NULL,
  `city` text NULL,
  `state` text NULL,
  `postal_code` text NULL,
  `business_type` text NULL,
  `state_of_incorporation` text NULL,
  `naics_code` text NULL,
  `sic_code` text NULL,
  `external_source` text NULL,
  `external_ref` text NULL,
  `home_based` bool NOT NULL DEFAULT (false),
  `e_commerce` bool NOT NULL DEFAULT (false),
  `tenant_id` integer NOT NULL,
  `merchant_status_id` integer NULL,
  CONSTRAINT `merchants_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `merchants_merchant_statuses_merchant_status` FOREIGN KEY (`merchant_status_id`) REFERENCES `merchant_statuses` (`id`) ON DELETE RESTRICT
);
-- Create index "merchant_tenant_id_id" to table: "merchants"
CREATE INDEX `merchant_tenant_id_id` ON `merchants` (`tenant_id`, `id`);
-- Create index "merchant_tenant_id_created_at_id" to table: "merchants"
CREATE INDEX `merchant_tenant_id_created_at_id` ON `merchants` (`tenant_id`, `created_at`, `id`);
-- Create index "merchant_tenant_id_updated_at_id" to table: "merchants"
CREATE INDEX `merchant_tenant_id_updated_at_id` ON `merchants` (`tenant_id`, `updated_at`, `id`);
-- Create index "merchant_tenant_id_legal_name_id" to table: "merchants"
CREATE INDEX `merchant_tenant_id_legal_name_id` ON `merchants` (`tenant_id`, `legal_name`, `id`);
-- Create index "merchant_tenant_id_dba_name_id" to table: "merchants"
CREATE INDEX `merchant_tenant_id_dba_name_id` ON `merchants` (`tenant_id`, `dba_name`, `id`);
-- Create index "merchant_tenant_id_federal_id_digits" to table: "merchants"
CREATE INDEX `merchant_tenant_id_federal_id_digits` ON `merchants` (`tenant_id`, `federal_id_digits`);
-- Create index "merchant_tenant_id_external_source_external_ref" to table: "merchants"
CREATE UNIQUE INDEX `merchant_tenant_id_external_source_external_ref` ON `merchants` (`tenant_id`, `external_source`, `external_ref`);
-- Create "merchant_contacts" table
CREATE TABLE `merchant_contacts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `first_name` text NOT NULL,
  `last_name` text NOT NULL,
  `ssn` blob NULL,
  `ssn_last4` text NULL,
  `ownership_pct` decimal NULL,
  `email` text NULL,
  `phone` text NULL,
  `title` text NULL,
  `is_guarantor` bool NOT NULL DEFAULT (false),
  `is_primary` bool NOT NULL DEFAULT (false),
  `tenant_id` integer NOT NULL,
  `merchant_id` integer NOT NULL,
  CONSTRAINT `merchant_contacts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `merchant_contacts_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE CASCADE
);
-- Create index "merchantcontact_tenant_id_id" to table: "merchant_contacts"
CREATE INDEX `merchantcontact_tenant_id_id` ON `merchant_contacts` (`tenant_id`, `id`);
-- Create index "merchantcontact_tenant_id_merchant_id" to table: "merchant_contacts"
CREATE INDEX `merchantcontact_tenant_id_merchant_id` ON `merchant_contacts` (`tenant_id`, `merchant_id`);
-- Create "merchant_statuses" table
CREATE TABLE `merchant_statuses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `position` integer NOT NULL DEFAULT (0),
  `is_active` bool NOT NULL DEFAULT (true),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `merchant_statuses_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "merchantstatus_tenant_id_id" to table: "merchant_statuses"
CREATE INDEX `merchantstatus_tenant_id_id` ON `merchant_statuses` (`tenant_id`, `id`);
-- Create index "merchantstatus_tenant_id_name" to table: "merchant_statuses"
CREATE UNIQUE INDEX `merchantstatus_tenant_id_name` ON `merchant_statuses` (`tenant_id`, `name`);
-- Create "notes" table
CREATE TABLE `notes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `body` text NOT NULL,
  `is_pinned` bool NOT NULL DEFAULT (false),
  `tenant_id` integer NOT NULL,
  `lead_id` integer NULL,
  `merchant_id` integer NULL,
  `deal_id` integer NULL,
  `submission_id` integer NULL,
  `author_id` integer NULL,
  CONSTRAINT `notes_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `notes_leads_lead` FOREIGN KEY (`lead_id`) REFERENCES `leads` (`id`) ON DELETE CASCADE,
  CONSTRAINT `notes_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE CASCADE,
  CONSTRAINT `notes_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE CASCADE,
  CONSTRAINT `notes_submissions_submission` FOREIGN KEY (`submission_id`) REFERENCES `submissions` (`id`) ON DELETE CASCADE,
  CONSTRAINT `notes_users_author` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "note_tenant_id_id" to table: "notes"
CREATE INDEX `note_tenant_id_id` ON `notes` (`tenant_id`, `id`);
-- Create index "note_tenant_id_lead_id_id" to table: "notes"
CREATE INDEX `note_tenant_id_lead_id_id` ON `notes` (`tenant_id`, `lead_id`, `id`);
-- Create index "note_tenant_id_merchant_id_id" to table: "notes"
CREATE INDEX `note_tenant_id_merchant_id_id` ON `notes` (`tenant_id`, `merchant_id`, `id`);
-- Create index "note_tenant_id_deal_id_id" to table: "notes"
CREATE INDEX `note_tenant_id_deal_id_id` ON `notes` (`tenant_id`, `deal_id`, `id`);
-- Create index "note_tenant_id_submission_id_id" to table: "notes"
CREATE INDEX `note_tenant_id_submission_id_id` ON `notes` (`tenant_id`, `submission_id`, `id`);
-- Create "notifications" table
CREATE TABLE `notifications` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `kind` text NOT NULL,
  `title` text NOT NULL,
  `body` text NULL,
  `entity` text NULL,
  `entity_id` integer NULL,
  `read_at` datetime NULL,
  `mail_state` text NOT NULL DEFAULT ('NONE'),
  `mail_attempts` integer NOT NULL DEFAULT (0),
  `mail_next_at` datetime NULL,
  `mail_error` text NULL,
  `tenant_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `notifications_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `notifications_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
);
-- Create index "notification_tenant_id_id" to table: "notifications"
CREATE INDEX `notification_tenant_id_id` ON `notifications` (`tenant_id`, `id`);
-- Create index "notification_tenant_id_user_id_id" to table: "notifications"
CREATE INDEX `notification_tenant_id_user_id_id` ON `notifications` (`tenant_id`, `user_id`, `id`);
-- Create index "notification_tenant_id_user_id_read_at" to table: "notifications"
CREATE INDEX `notification_tenant_id_user_id_read_at` ON `notifications` (`tenant_id`, `user_id`, `read_at`);
-- Create index "notification_read" to table: "notifications"
CREATE INDEX `notification_read` ON `notifications` (`read_at`) WHERE read_at IS NOT NULL;
-- Create index "notification_unread" to table: "notifications"
CREATE INDEX `notification_unread` ON `notifications` (`created_at`) WHERE read_at IS NULL;
-- Create index "notification_mail_due" to table: "notifications"
CREATE INDEX `notification_mail_due` ON `notifications` (`mail_next_at`, `id`) WHERE mail_next_at IS NOT NULL;
-- Create "outbox_events" table
CREATE TABLE `outbox_events` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `event` text NOT NULL,
  `version` integer NOT NULL DEFAULT (1),
  `occurred_at` datetime NOT NULL,
  `data` json NOT NULL,
  `entity` text NOT NULL,
  `entity_id` integer NOT NULL,
  `fanned_out_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `outbox_events_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "outboxevent_tenant_id_id" to table: "outbox_events"
CREATE INDEX `outboxevent_tenant_id_id` ON `outbox_events` (`tenant_id`, `id`);
-- Create index "outboxevent_waiting" to table: "outbox_events"
CREATE INDEX `outboxevent_waiting` ON `outbox_events` (`tenant_id`, `id`) WHERE fanned_out_at IS NULL;
-- Create index "outboxevent_tenant_id_entity_entity_id_id" to table: "outbox_events"
CREATE INDEX `outboxevent_tenant_id_entity_entity_id_id` ON `outbox_events` (`tenant_id`, `entity`, `entity_id`, `id`);
-- Create "participations" table
CREATE TABLE `participations` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `percent` decimal NOT NULL,
  `amount` decimal NOT NULL,
  `funded_at` datetime NULL,
  `management_fee_basis` text NULL,
  `management_fee_percent` decimal NULL,
  `caf_recognition` text NOT NULL DEFAULT ('UPFRONT'),
  `profit_accrual` text NOT NULL DEFAULT ('PRO_RATA'),
  `profit_split_percent` decimal NULL,
  `participates_in_bank_fee` bool NULL,
  `fronts_commission` bool NOT NULL DEFAULT (false),
  `loss_protected` bool NOT NULL DEFAULT (false),
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `syndicator_id` integer NOT NULL,
  CONSTRAINT `participations_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `participations_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `participations_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT
);
-- Create index "participation_tenant_id_id" to table: "participations"
CREATE INDEX `participation_tenant_id_id` ON `participations` (`tenant_id`, `id`);
-- Create index "participation_tenant_id_deal_id_syndicator_id" to table: "participations"
CREATE UNIQUE INDEX `participation_tenant_id_deal_id_syndicator_id` ON `participations` (`tenant_id`, `deal_id`, `syndicator_id`);
-- Create index "participation_tenant_id_syndicator_id" to table: "participations"
CREATE INDEX `participation_tenant_id_syndicator_id` ON `participations` (`tenant_id`, `syndicator_id`);
-- Create "password_resets" table
CREATE TABLE `password_resets` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `token_hash` blob NOT NULL,
  `expires_at` datetime NOT NULL,
  `ended_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `password_resets_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `password_resets_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
);
-- Create index "password_resets_token_hash_key" to table: "password_resets"
CREATE UNIQUE INDEX `password_resets_token_hash_key` ON `password_resets` (`token_hash`);
-- Create index "passwordreset_tenant_id_id" to table: "password_resets"
CREATE INDEX `passwordreset_tenant_id_id` ON `password_resets` (`tenant_id`, `id`);
-- Create index "passwordreset_tenant_id_user_id" to table: "password_resets"
CREATE INDEX `passwordreset_tenant_id_user_id` ON `password_resets` (`tenant_id`, `user_id`);
-- Create index "passwordreset_expires_at" to table: "password_resets"
CREATE INDEX `passwordreset_expires_at` ON `password_resets` (`expires_at`);
-- Create "payments" table
CREATE TABLE `payments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `type` text NOT NULL,
  `status` text NOT NULL DEFAULT ('PENDING'),
  `amount` decimal NOT NULL,
  `direction` text NULL,
  `source` text NULL,
  `method` text NULL,
  `episode` integer NOT NULL DEFAULT (0),
  `planned_amount` decimal NULL,
  `scheduled_date` date NULL,
  `cleared_date` date NULL,
  `external_transfer_id` text NULL,
  `reference_id` text NULL,
  `note` text NULL,
  `initiated_at` datetime NULL,
  `returned_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `account_id` integer NULL,
  `syndicator_id` integer NULL,
  `bounce_code_id` integer NULL,
  `bank_account_token_id` integer NULL,
  `loc_draw_id` integer NULL,
  `made_up_by_id` integer NULL,
  CONSTRAINT `payments_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_accounts_account` FOREIGN KEY (`account_id`) REFERENCES `accounts` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_bounce_codes_bounce_code` FOREIGN KEY (`bounce_code_id`) REFERENCES `bounce_codes` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_bank_account_tokens_bank_account_token` FOREIGN KEY (`bank_account_token_id`) REFERENCES `bank_account_tokens` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_loc_draws_loc_draw` FOREIGN KEY (`loc_draw_id`) REFERENCES `loc_draws` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_payments_makes_up_for` FOREIGN KEY (`made_up_by_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT
);
-- Create index "payment_tenant_id_id" to table: "payments"
CREATE INDEX `payment_tenant_id_id` ON `payments` (`tenant_id`, `id`);
-- Create index "payment_tenant_id_created_at_id" to table: "payments"
CREATE INDEX `payment_tenant_id_created_at_id` ON `payments` (`tenant_id`, `created_at`, `id`);
-- Create index "payment_tenant_id_updated_at_id" to table: "payments"
CREATE INDEX `payment_tenant_id_updated_at_id` ON `payments` (`tenant_id`, `updated_at`, `id`);
-- Create index "payment_tenant_id_amount_id" to table: "payments"
CREATE INDEX `payment_tenant_id_amount_id` ON `payments` (`tenant_id`, `amount`, `id`);
-- Create index "payment_tenant_id_status_id" to table: "payments"
CREATE INDEX `payment_tenant_id_status_id` ON `payments` (`tenant_id`, `status`, `id`);
-- Create index "payment_tenant_id_scheduled_date_id" to table: "payments"
CREATE INDEX `payment_tenant_id_scheduled_date_id` ON `payments` (`tenant_id`, `scheduled_date`, `id`);
-- Create index "payment_tenant_id_cleared_date_id" to table: "payments"
CREATE INDEX `payment_tenant_id_cleared_date_id` ON `payments` (`tenant_id`, `cleared_date`, `id`);
-- Create index "payment_tenant_id_deal_id_id" to table: "payments"
CREATE INDEX `payment_tenant_id_deal_id_id` ON `payments` (`tenant_id`, `deal_id`, `id`);
-- Create index "payment_tenant_id_type_id" to table: "payments"
CREATE INDEX `payment_tenant_id_type_id` ON `payments` (`tenant_id`, `type`, `id`);
-- Create index "payment_tenant_id_external_transfer_id" to table: "payments"
CREATE INDEX `payment_tenant_id_external_transfer_id` ON `payments` (`tenant_id`, `external_transfer_id`);
-- Create index "payment_tenant_id_made_up_by_id" to table: "payments"
CREATE UNIQUE INDEX `payment_tenant_id_made_up_by_id` ON `payments` (`tenant_id`, `made_up_by_id`);
-- Create "payout_batches" table
CREATE TABLE `payout_batches` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `kind` text NOT NULL,
  `period_from` date NOT NULL,
  `period_to` date NOT NULL,
  `status` text NOT NULL DEFAULT ('DRAFT'),
  `approved_at` datetime NULL,
  `paid_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `created_by_user_id` integer NULL,
  `approved_by_user_id` integer NULL,
  CONSTRAINT `payout_batches_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_batches_users_created_by_user` FOREIGN KEY (`created_by_user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_batches_users_approved_by_user` FOREIGN KEY (`approved_by_user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "payoutbatch_tenant_id_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_id` ON `payout_batches` (`tenant_id`, `id`);
-- Create index "payoutbatch_tenant_id_created_at_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_created_at_id` ON `payout_batches` (`tenant_id`, `created_at`, `id`);
-- Create index "payoutbatch_tenant_id_updated_at_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_updated_at_id` ON `payout_batches` (`tenant_id`, `updated_at`, `id`);
-- Create index "payoutbatch_tenant_id_period_from_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_period_from_id` ON `payout_batches` (`tenant_id`, `period_from`, `id`);
-- Create index "payoutbatch_tenant_id_period_to_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_period_to_id` ON `payout_batches` (`tenant_id`, `period_to`, `id`);
-- Create index "payoutbatch_tenant_id_kind_status_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_kind_status_id` ON `payout_batches` (`tenant_id`, `kind`, `status`, `id`);
-- Create index "payoutbatch_tenant_id_status_id" to table: "payout_batches"
CREATE INDEX `payoutbatch_tenant_id_status_id` ON `payout_batches` (`tenant_id`, `status`, `id`);
-- Create "payout_items" table
CREATE TABLE `payout_items` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `amount` decimal NOT NULL,
  `status` text NOT NULL DEFAULT ('PENDING'),
  `clawback_amount` decimal NULL,
  `episode` integer NULL,
  `held_reason` text NULL,
  `clawback_note` text NULL,
  `clawback_risk_at` datetime NULL,
  `clawed_back_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `batch_id` integer NOT NULL,
  `iso_id` integer NULL,
  `referrer_id` integer NULL,
  `syndicator_id` integer NULL,
  `deal_id` integer NULL,
  `payment_id` integer NULL,
  `collected_payment_id` integer NULL,
  `reverses_id` integer NULL,
  CONSTRAINT `payout_items_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payout_batches_batch` FOREIGN KEY (`batch_id`) REFERENCES `payout_batches` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_isos_iso` FOREIGN KEY (`iso_id`) REFERENCES `isos` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_referrers_referrer` FOREIGN KEY (`referrer_id`) REFERENCES `referrers` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payments_collected_payment` FOREIGN KEY (`collected_payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payout_items_reversals` FOREIGN KEY (`reverses_id`) REFERENCES `payout_items` (`id`) ON DELETE RESTRICT
);
-- Create index "payoutitem_tenant_id_id" to table: "payout_items"
CREATE INDEX `payoutitem_tenant_id_id` ON `payout_items` (`tenant_id`, `id`);
-- Create index "payoutitem_tenant_id_batch_id_id" to table: "payout_items"
CREATE INDEX `payoutitem_tenant_id_batch_id_id` ON `payout_items` (`tenant_id`, `batch_id`, `id`);
-- Create index "payoutitem_tenant_id_deal_id_id" to table: "payout_items"
CREATE INDEX `payoutitem_tenant_id_deal_id_id` ON `payout_items` (`tenant_id`, `deal_id`, `id`);
-- Create index "payoutitem_tenant_id_iso_id_status" to table: "payout_items"
CREATE INDEX `payoutitem_tenant_id_iso_id_status` ON `payout_items` (`tenant_id`, `iso_id`, `status`);
-- Create index "payoutitem_tenant_id_syndicator_id_status" to table: "payout_items"
CREATE INDEX `payoutitem_tenant_id_syndicator_id_status` ON `payout_items` (`tenant_id`, `syndicator_id`, `status`);
-- Create index "payoutitem_tenant_id_payment_id" to table: "payout_items"
CREATE INDEX `payoutitem_tenant_id_payment_id` ON `payout_items` (`tenant_id`, `payment_id`);
-- Create index "payoutitem_collected_share" to table: "payout_items"
CREATE UNIQUE INDEX `payoutitem_collected_share` ON `payout_items` (`tenant_id`, `collected_payment_id`, `episode`, `syndicator_id`) WHERE reverses_id IS NULL;
-- Create index "payoutitem_tenant_id_reverses_id" to table: "payout_items"
CREATE UNIQUE INDEX `payoutitem_tenant_id_reverses_id` ON `payout_items` (`tenant_id`, `reverses_id`);
-- Create "portfolios" table
CREATE TABLE `portfolios` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `notes` text NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `portfolios_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "portfolio_tenant_id_id" to table: "portfolios"
CREATE INDEX `portfolio_tenant_id_id` ON `portfolios` (`tenant_id`, `id`);
-- Create index "portfolio_tenant_id_name" to table: "portfolios"
CREATE UNIQUE INDEX `portfolio_tenant_id_name` ON `portfolios` (`tenant_id`, `name`);
-- Create "postings" table
CREATE TABLE `postings` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `account` text NOT NULL,
  `kind` text NOT NULL,
  `amount` decimal NOT NULL,
  `tenant_id` integer NOT NULL,
  `journal_id` integer NOT NULL,
  `deal_id` integer NULL,
  `syndicator_id` integer NULL,
  `payment_id` integer NULL,
  CONSTRAINT `postings_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_journals_journal` FOREIGN KEY (`journal_id`) REFERENCES `journals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT
);
-- Create index "posting_tenant_id_id" to table: "postings"
CREATE INDEX `posting_tenant_id_id` ON `postings` (`tenant_id`, `id`);
-- Create index "posting_tenant_id_journal_id" to table: "postings"
CREATE INDEX `posting_tenant_id_journal_id` ON `postings` (`tenant_id`, `journal_id`);
-- Create index "posting_tenant_id_deal_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_deal_id_account` ON `postings` (`tenant_id`, `deal_id`, `account`);
-- Create index "posting_tenant_id_syndicator_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_syndicator_id_account` ON `postings` (`tenant_id`, `syndicator_id`, `account`);
-- Create index "posting_tenant_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_account` ON `postings` (`tenant_id`, `account`);
-- Create "rate_windows" table
CREATE TABLE `rate_windows` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `caller` text NOT NULL,
  `began_at` datetime NOT NULL,
  `granted` integer NOT NULL,
  `held` json NOT NULL
);
-- Create index "rate_windows_caller_key" to table: "rate_windows"
CREATE UNIQUE INDEX `rate_windows_caller_key` ON `rate_windows` (`caller`);
-- Create index "ratewindow_began_at" to table: "rate_windows"
CREATE INDEX `ratewindow_began_at` ON `rate_windows` (`began_at`);
-- Create "referrers" table
CREATE TABLE `referrers` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `email` text NULL,
  `phone` text NULL,
  `ein` text NULL,
  `notes` text NULL,
  `requires_1099` bool NOT NULL DEFAULT (false),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `referrers_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "referrer_tenant_id_id" to table: "referrers"
CREATE INDEX `referrer_tenant_id_id` ON `referrers` (`tenant_id`, `id`);
-- Create index "referrer_tenant_id_name" to table: "referrers"
CREATE INDEX `referrer_tenant_id_name` ON `referrers` (`tenant_id`, `name`);
-- Create "renewal_opportunities" table
CREATE TABLE `renewal_opportunities` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `status` text NOT NULL DEFAULT ('ELIGIBLE'),
  `paid_down_pct` decimal NOT NULL,
  `outstanding` decimal NOT NULL,
  `closed_at` datetime NULL,
  `dismissed_reason` text NULL,
  `tenant_id` integer NOT NULL,
  `prior_deal_id` integer NOT NULL,
  `merchant_id` integer NOT NULL,
  `renewal_deal_id` integer NULL,
  CONSTRAINT `renewal_opportunities_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `renewal_opportunities_deals_prior_deal` FOREIGN KEY (`prior_deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `renewal_opportunities_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `renewal_opportunities_deals_renewal_deal` FOREIGN KEY (`renewal_deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT
);
-- Create index "renewalopportunity_tenant_id_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_id` ON `renewal_opportunities` (`tenant_id`, `id`);
-- Create index "renewalopportunity_tenant_id_created_at_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_created_at_id` ON `renewal_opportunities` (`tenant_id`, `created_at`, `id`);
-- Create index "renewalopportunity_tenant_id_updated_at_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_updated_at_id` ON `renewal_opportunities` (`tenant_id`, `updated_at`, `id`);
-- Create index "renewalopportunity_tenant_id_paid_down_pct_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_paid_down_pct_id` ON `renewal_opportunities` (`tenant_id`, `paid_down_pct`, `id`);
-- Create index "renewalopportunity_tenant_id_outstanding_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_outstanding_id` ON `renewal_opportunities` (`tenant_id`, `outstanding`, `id`);
-- Create index "renewalopportunity_open" to table: "renewal_opportunities"
CREATE UNIQUE INDEX `renewalopportunity_open` ON `renewal_opportunities` (`tenant_id`, `prior_deal_id`) WHERE closed_at IS NULL;
-- Create index "renewalopportunity_tenant_id_status_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_status_id` ON `renewal_opportunities` (`tenant_id`, `status`, `id`);
-- Create index "renewalopportunity_tenant_id_merchant_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_merchant_id` ON `renewal_opportunities` (`tenant_id`, `merchant_id`);
-- Create index "renewalopportunity_tenant_id_renewal_deal_id" to table: "renewal_opportunities"
CREATE INDEX `renewalopportunity_tenant_id_renewal_deal_id` ON `renewal_opportunities` (`tenant_id`, `renewal_deal_id`);
-- Create "roles" table
CREATE TABLE `roles` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `code` text NULL,
  `name` text NOT NULL,
  `permissions` json NOT NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `roles_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "role_tenant_id_id" to table: "roles"
CREATE INDEX `role_tenant_id_id` ON `roles` (`tenant_id`, `id`);
-- Create index "role_tenant_id_name" to table: "roles"
CREATE UNIQUE INDEX `role_tenant_id_name` ON `roles` (`tenant_id`, `name`);
-- Create index "role_tenant_id_code" to table: "roles"
CREATE UNIQUE INDEX `role_tenant_id_code` ON `roles` (`tenant_id`, `code`);
-- Create "sessions" table
CREATE TABLE `sessions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `token_hash` blob NOT NULL,
  `awaits_second_factor` bool NOT NULL DEFAULT (false),
  `idle_expires_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `address` text NULL,
  `user_agent` text NULL,
  `second_factor_at` datetime NULL,
  `revoked_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `sessions_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
);
-- Create index "sessions_token_hash_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_token_hash_key` ON `sessions` (`token_hash`);
-- Create index "session_tenant_id_id" to table: "sessions"
CREATE INDEX `session_tenant_id_id` ON `sessions` (`tenant_id`, `id`);
-- Create index "session_tenant_id_user_id" to table: "sessions"
CREATE INDEX `session_tenant_id_user_id` ON `sessions` (`tenant_id`, `user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create "signature_requests" table
CREATE TABLE `signature_requests` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `title` text NOT NULL,
  `kind` text NOT NULL,
  `status` text NOT NULL DEFAULT ('DRAFT'),
  `terms_hash` blob NULL,
  `provider` text NULL,
  `external_id` text NULL,
  `declined_reason` text NULL,
  `sent_at` datetime NULL,
  `expires_at` datetime NULL,
  `completed_at` datetime NULL,
  `declined_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NULL,
  `document_id` integer NULL,
  `signed_document_id` integer NULL,
  CONSTRAINT `signature_requests_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `signature_requests_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `signature_requests_documents_document` FOREIGN KEY (`document_id`) REFERENCES `documents` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `signature_requests_documents_signed_document` FOREIGN KEY (`signed_document_id`) REFERENCES `documents` (`id`) ON DELETE RESTRICT
);
-- Create index "signaturerequest_tenant_id_id" to table: "signature_requests"
CREATE INDEX `signaturerequest_tenant_id_id` ON `signature_requests` (`tenant_id`, `id`);
-- Create index "signaturerequest_tenant_id_deal_id_id" to table: "signature_requests"
CREATE INDEX `signaturerequest_tenant_id_deal_id_id` ON `signature_requests` (`tenant_id`, `deal_id`, `id`);
-- Create index "signaturerequest_tenant_id_provider_external_id" to table: "signature_requests"
CREATE UNIQUE INDEX `signaturerequest_tenant_id_provider_external_id` ON `signature_requests` (`tenant_id`, `provider`, `external_id`);
-- Create "signers" table
CREATE TABLE `signers` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `position` integer NOT NULL,
  `name` text NOT NULL,
  `email` text NOT NULL,
  `status` text NOT NULL DEFAULT ('PENDING'),
  `title` text NULL,
  `declined_reason` text NULL,
  `viewed_at` datetime NULL,
  `signed_at` datetime NULL,
  `declined_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `signature_request_id` integer NOT NULL,
  CONSTRAINT `signers_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `signers_signature_requests_signature_request` FOREIGN KEY (`signature_request_id`) REFERENCES `signature_requests` (`id`) ON DELETE CASCADE
);
-- Create index "signer_tenant_id_id" to table: "signers"
CREATE INDEX `signer_tenant_id_id` ON `signers` (`tenant_id`, `id`);
-- Create index "signer_tenant_id_signature_request_id_position" to table: "signers"
CREATE UNIQUE INDEX `signer_tenant_id_signature_request_id_position` ON `signers` (`tenant_id`, `signature_request_id`, `position`);
-- Create "statement_analyses" table
CREATE TABLE `statement_analyses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `source` text NOT NULL,
  `version` integer NOT NULL,
  `altered` bool NOT NULL DEFAULT (false),
  `received_at` datetime NOT NULL,
  `period_start` date NULL,
  `period_end` date NULL,
  `gross_deposits` decimal NULL,
  `mca_deposits` decimal NULL,
  `internal_transfers` decimal NULL,
  `true_revenue_3m` decimal NULL,
  `avg_monthly_true_revenue` decimal NULL,
  `estimated_mca_monthly` decimal NULL,
  `avg_daily_balance` decimal NULL,
  `months_covered` integer NULL,
  `position_count` integer NULL,
  `nsf_count` integer NULL,
  `negative_days` integer NULL,
  `deposit_types` json NULL,
  `positions` json NULL,
  `altered_flags` json NULL,
  `summary` json NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `merchant_id` integer NOT NULL,
  `key_id` integer NULL,
  `actor_id` integer NULL,
  CONSTRAINT `statement_analyses_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `statement_analyses_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `statement_analyses_merchants_merchant` FOREIGN KEY (`merchant_id`) REFERENCES `merchants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `statement_analyses_api_keys_key` FOREIGN KEY (`key_id`) REFERENCES `api_keys` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `statement_analyses_users_actor` FOREIGN KEY (`actor_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "statementanalysis_tenant_id_id" to table: "statement_analyses"
CREATE INDEX `statementanalysis_tenant_id_id` ON `statement_analyses` (`tenant_id`, `id`);
-- Create index "statementanalysis_tenant_id_deal_id_version" to table: "statement_analyses"
CREATE UNIQUE INDEX `statementanalysis_tenant_id_deal_id_version` ON `statement_analyses` (`tenant_id`, `deal_id`, `version`);
-- Create index "statementanalysis_tenant_id_merchant_id" to table: "statement_analyses"
CREATE INDEX `statementanalysis_tenant_id_merchant_id` ON `statement_analyses` (`tenant_id`, `merchant_id`);
-- Create "stipulations" table
CREATE TABLE `stipulations` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `code` text NOT NULL,
  `title` text NOT NULL,
  `status` text NOT NULL DEFAULT ('REQUESTED'),
  `required` bool NOT NULL DEFAULT (true),
  `waivable` bool NOT NULL DEFAULT (false),
  `months` integer NULL,
  `position` integer NOT NULL DEFAULT (0),
  `waived_reason` text NULL,
  `rejected_reason` text NULL,
  `received_at` datetime NULL,
  `approved_at` datetime NULL,
  `waived_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `approved_by_id` integer NULL,
  `waived_by_id` integer NULL,
  `document_id` integer NULL,
  CONSTRAINT `stipulations_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `stipulations_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stipulations_users_approved_by` FOREIGN KEY (`approved_by_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `stipulations_users_waived_by` FOREIGN KEY (`waived_by_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `stipulations_documents_document` FOREIGN KEY (`document_id`) REFERENCES `documents` (`id`) ON DELETE RESTRICT
);
-- Create index "stipulation_tenant_id_id" to table: "stipulations"
CREATE INDEX `stipulation_tenant_id_id` ON `stipulations` (`tenant_id`, `id`);
-- Create index "stipulation_tenant_id_deal_id_code" to table: "stipulations"
CREATE UNIQUE INDEX `stipulation_tenant_id_deal_id_code` ON `stipulations` (`tenant_id`, `deal_id`, `code`);
-- Create index "stipulation_tenant_id_status_id" to table: "stipulations"
CREATE INDEX `stipulation_tenant_id_status_id` ON `stipulations` (`tenant_id`, `status`, `id`);
-- Create "stipulation_templates" table
CREATE TABLE `stipulation_templates` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `product` text NOT NULL,
  `code` text NOT NULL,
  `title` text NOT NULL,
  `requirement` text NOT NULL,
  `months` integer NULL,
  `position` integer NOT NULL DEFAULT (0),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `stipulation_templates_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "stipulationtemplate_tenant_id_id" to table: "stipulation_templates"
CREATE INDEX `stipulationtemplate_tenant_id_id` ON `stipulation_templates` (`tenant_id`, `id`);
-- Create index "stipulationtemplate_tenant_id_product_code" to table: "stipulation_templates"
CREATE UNIQUE INDEX `stipulationtemplate_tenant_id_product_code` ON `stipulation_templates` (`tenant_id`, `product`, `code`);
-- Create "submissions" table
CREATE TABLE `submissions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `status_changed_at` datetime NOT NULL,
  `submitted_at` datetime NULL,
  `declined_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `funder_id` integer NOT NULL,
  `status_id` integer NOT NULL,
  `underwriter_id` integer NULL,
  `assigned_to_id` integer NULL,
  `delegated_to_id` integer NULL,
  `decline_reason_id` integer NULL,
  CONSTRAINT `submissions_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_funders_funder` FOREIGN KEY (`funder_id`) REFERENCES `funders` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_submission_statuses_status` FOREIGN KEY (`status_id`) REFERENCES `submission_statuses` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_users_underwriter` FOREIGN KEY (`underwriter_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_users_assigned_to` FOREIGN KEY (`assigned_to_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_users_delegated_to` FOREIGN KEY (`delegated_to_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `submissions_decline_reasons_decline_reason` FOREIGN KEY (`decline_reason_id`) REFERENCES `decline_reasons` (`id`) ON DELETE RESTRICT
);
-- Create index "submission_tenant_id_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_id` ON `submissions` (`tenant_id`, `id`);
-- Create index "submission_tenant_id_created_at_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_created_at_id` ON `submissions` (`tenant_id`, `created_at`, `id`);
-- Create index "submission_tenant_id_updated_at_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_updated_at_id` ON `submissions` (`tenant_id`, `updated_at`, `id`);
-- Create index "submission_tenant_id_submitted_at_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_submitted_at_id` ON `submissions` (`tenant_id`, `submitted_at`, `id`);
-- Create index "submission_tenant_id_status_changed_at_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_status_changed_at_id` ON `submissions` (`tenant_id`, `status_changed_at`, `id`);
-- Create index "submission_tenant_id_deal_id_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_deal_id_id` ON `submissions` (`tenant_id`, `deal_id`, `id`);
-- Create index "submission_tenant_id_funder_id_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_funder_id_id` ON `submissions` (`tenant_id`, `funder_id`, `id`);
-- Create index "submission_tenant_id_status_id" to table: "submissions"
CREATE INDEX `submission_tenant_id_status_id` ON `submissions` (`tenant_id`, `status_id`);
-- Create "submission_statuses" table
CREATE TABLE `submission_statuses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `code` text NOT NULL,
  `name` text NOT NULL,
  `category` text NOT NULL,
  `position` integer NOT NULL DEFAULT (0),
  `is_active` bool NOT NULL DEFAULT (true),
  `tenant_id` integer NOT NULL,
  CONSTRAINT `submission_statuses_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "submissionstatus_tenant_id_id" to table: "submission_statuses"
CREATE INDEX `submissionstatus_tenant_id_id` ON `submission_statuses` (`tenant_id`, `id`);
-- Create index "submissionstatus_tenant_id_code" to table: "submission_statuses"
CREATE UNIQUE INDEX `submissionstatus_tenant_id_code` ON `submission_statuses` (`tenant_id`, `code`);
-- Create "syndicators" table
CREATE TABLE `syndicators` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `max_per_deal` decimal NULL,
  `management_fee_basis` text NULL,
  `management_fee_percent` decimal NULL,
  `caf_recognition` text NOT NULL DEFAULT ('UPFRONT'),
  `profit_accrual` text NOT NULL DEFAULT ('PRO_RATA'),
  `profit_split_percent` decimal NULL,
  `participates_in_bank_fee` bool NULL,
  `fronts_commission` bool NOT NULL DEFAULT (false),
  `loss_protected` bool NOT NULL DEFAULT (false),
  `requires_1099` bool NOT NULL DEFAULT (false),
  `is_house` bool NOT NULL DEFAULT (false),
  `reference_id` text NULL,
  `email` text NULL,
  `phone` text NULL,
  `contact_name` text NULL,
  `website` text NULL,
  `notes` text NULL,
  `distribution_frequency` text NULL,
  `external_source` text NULL,
  `external_ref` text NULL,
  `tenant_id` integer NOT NULL,
  `portfolio_id` integer NULL,
  CONSTRAINT `syndicators_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `syndicators_portfolios_portfolio` FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios` (`id`) ON DELETE RESTRICT
);
-- Create index "syndicator_tenant_id_id" to table: "syndicators"
CREATE INDEX `syndicator_tenant_id_id` ON `syndicators` (`tenant_id`, `id`);
-- Create index "syndicator_tenant_id_created_at_id" to table: "syndicators"
CREATE INDEX `syndicator_tenant_id_created_at_id` ON `syndicators` (`tenant_id`, `created_at`, `id`);
-- Create index "syndicator_tenant_id_updated_at_id" to table: "syndicators"
CREATE INDEX `syndicator_tenant_id_updated_at_id` ON `syndicators` (`tenant_id`, `updated_at`, `id`);
-- Create index "syndicator_tenant_id_name_id" to table: "syndicators"
CREATE INDEX `syndicator_tenant_id_name_id` ON `syndicators` (`tenant_id`, `name`, `id`);
-- Create index "syndicator_tenant_id_portfolio_id" to table: "syndicators"
CREATE INDEX `syndicator_tenant_id_portfolio_id` ON `syndicators` (`tenant_id`, `portfolio_id`);
-- Create index "syndicator_tenant_id_external_source_external_ref" to table: "syndicators"
CREATE UNIQUE INDEX `syndicator_tenant_id_external_source_external_ref` ON `syndicators` (`tenant_id`, `external_source`, `external_ref`);
-- Create "tenants" table
CREATE TABLE `tenants` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `name` text NOT NULL,
  `host` text NOT NULL,
  `time_zone` text NOT NULL DEFAULT ('America/New_York'),
  `inbound_webhook_secret` blob NULL,
  `settings` json NULL,
  `last_deal_number` integer NOT NULL DEFAULT (0),
  `sandbox_of_id` integer NULL,
  CONSTRAINT `tenants_tenants_sandbox` FOREIGN KEY (`sandbox_of_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "tenants_host_key" to table: "tenants"
CREATE UNIQUE INDEX `tenants_host_key` ON `tenants` (`host`);
-- Create index "tenants_sandbox_of_id_key" to table: "tenants"
CREATE UNIQUE INDEX `tenants_sandbox_of_id_key` ON `tenants` (`sandbox_of_id`);
-- Create "ucc_filings" table
CREATE TABLE `ucc_filings` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `provider` text NOT NULL,
  `jurisdiction` text NOT NULL,
  `type` text NOT NULL,
  `status` text NOT NULL DEFAULT ('DRAFT'),
  `lapses_at` date NULL,
  `filed_at` datetime NULL,
  `external_id` text NULL,
  `file_number` text NULL,
  `collateral` text NULL,
  `rejection_reason` text NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `amends_id` integer NULL,
  CONSTRAINT `ucc_filings_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `ucc_filings_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `ucc_filings_ucc_filings_amendments` FOREIGN KEY (`amends_id`) REFERENCES `ucc_filings` (`id`) ON DELETE RESTRICT
);
-- Create index "uccfiling_tenant_id_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_id` ON `ucc_filings` (`tenant_id`, `id`);
-- Create index "uccfiling_tenant_id_created_at_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_created_at_id` ON `ucc_filings` (`tenant_id`, `created_at`, `id`);
-- Create index "uccfiling_tenant_id_updated_at_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_updated_at_id` ON `ucc_filings` (`tenant_id`, `updated_at`, `id`);
-- Create index "uccfiling_tenant_id_filed_at_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_filed_at_id` ON `ucc_filings` (`tenant_id`, `filed_at`, `id`);
-- Create index "uccfiling_tenant_id_lapses_at_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_lapses_at_id` ON `ucc_filings` (`tenant_id`, `lapses_at`, `id`);
-- Create index "uccfiling_tenant_id_deal_id_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_deal_id_id` ON `ucc_filings` (`tenant_id`, `deal_id`, `id`);
-- Create index "uccfiling_tenant_id_status_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_status_id` ON `ucc_filings` (`tenant_id`, `status`, `id`);
-- Create index "uccfiling_tenant_id_amends_id" to table: "ucc_filings"
CREATE INDEX `uccfiling_tenant_id_amends_id` ON `ucc_filings` (`tenant_id`, `amends_id`);
-- Create index "uccfiling_tenant_id_provider_external_id" to table: "ucc_filings"
CREATE UNIQUE INDEX `uccfiling_tenant_id_provider_external_id` ON `ucc_filings` (`tenant_id`, `provider`, `external_id`);
-- Create "underwriting_policies" table
CREATE TABLE `underwriting_policies` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `version` integer NOT NULL,
  `name` text NOT NULL,
  `rules` json NOT NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `underwriting_policies_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "underwritingpolicy_tenant_id_id" to table: "underwriting_policies"
CREATE INDEX `underwritingpolicy_tenant_id_id` ON `underwriting_policies` (`tenant_id`, `id`);
-- Create index "underwritingpolicy_tenant_id_version" to table: "underwriting_policies"
CREATE UNIQUE INDEX `underwritingpolicy_tenant_id_version` ON `underwriting_policies` (`tenant_id`, `version`);
-- Create "users" table
CREATE TABLE `users` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `email` text NOT NULL,
  `name` text NOT NULL,
  `password_hash` text NULL,
  `totp_secret` blob NULL,
  `totp_last_step` integer NULL,
  `recovery_hashes` json NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `last_login_network` text NULL,
  `totp_confirmed_at` datetime NULL,
  `password_changed_at` datetime NULL,
  `last_login_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `role_id` integer NOT NULL,
  CONSTRAINT `users_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `users_roles_role` FOREIGN KEY (`role_id`) REFERENCES `roles` (`id`) ON DELETE RESTRICT
);
-- Create index "user_tenant_id_id" to table: "users"
CREATE INDEX `user_tenant_id_id` ON `users` (`tenant_id`, `id`);
-- Create index "user_tenant_id_email" to table: "users"
CREATE UNIQUE INDEX `user_tenant_id_email` ON `users` (`tenant_id`, `email`);
-- Create index "user_tenant_id_role_id" to table: "users"
CREATE INDEX `user_tenant_id_role_id` ON `users` (`tenant_id`, `role_id`);
-- Create "webhook_deliveries" table
CREATE TABLE `webhook_deliveries` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `message_id` text NOT NULL,
  `event` text NOT NULL,
  `payload` json NOT NULL,
  `status` text NOT NULL DEFAULT ('PENDING'),
  `attempts` integer NOT NULL DEFAULT (0),
  `next_attempt_at` datetime NULL,
  `locked_until` datetime NULL,
  `fence` integer NOT NULL DEFAULT (0),
  `outbox_event_id` integer NULL,
  `redelivery_of_id` integer NULL,
  `response_status` integer NULL,
  `duration_ms` integer NULL,
  `error` text NULL,
  `response_snippet` text NULL,
  `delivered_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `endpoint_id` integer NOT NULL,
  CONSTRAINT `webhook_deliveries_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `webhook_deliveries_webhook_endpoints_endpoint` FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints` (`id`) ON DELETE CASCADE
);
-- Create index "webhook_deliveries_message_id_key" to table: "webhook_deliveries"
CREATE UNIQUE INDEX `webhook_deliveries_message_id_key` ON `webhook_deliveries` (`message_id`);
-- Create index "webhookdelivery_tenant_id_id" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_tenant_id_id` ON `webhook_deliveries` (`tenant_id`, `id`);
-- Create index "webhookdelivery_fan_out" to table: "webhook_deliveries"
CREATE UNIQUE INDEX `webhookdelivery_fan_out` ON `webhook_deliveries` (`tenant_id`, `outbox_event_id`, `endpoint_id`) WHERE redelivery_of_id IS NULL;
-- Create index "webhookdelivery_endpoint_id_id" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_endpoint_id_id` ON `webhook_deliveries` (`endpoint_id`, `id`);
-- Create index "webhookdelivery_due" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_due` ON `webhook_deliveries` (`endpoint_id`, `next_attempt_at`, `id`) WHERE next_attempt_at IS NOT NULL;
-- Create index "webhookdelivery_created_at" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_created_at` ON `webhook_deliveries` (`created_at`);
-- Create index "webhookdelivery_repeats" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_repeats` ON `webhook_deliveries` (`tenant_id`, `redelivery_of_id`) WHERE redelivery_of_id IS NOT NULL;
-- Create "webhook_endpoints" table
CREATE TABLE `webhook_endpoints` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `url` text NOT NULL,
  `events` json NOT NULL,
  `is_active` bool NOT NULL DEFAULT (true),
  `failure_streak` integer NOT NULL DEFAULT (0),
  `events_after` integer NOT NULL DEFAULT (0),
  `secret` blob NOT NULL,
  `previous_secret` blob NULL,
  `previous_secret_expires_at` datetime NULL,
  `disabled_at` datetime NULL,
  `last_delivered_at` datetime NULL,
  `disabled_reason` text NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `webhook_endpoints_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "webhookendpoint_tenant_id_id" to table: "webhook_endpoints"
CREATE INDEX `webhookendpoint_tenant_id_id` ON `webhook_endpoints` (`tenant_id`, `id`);
-- Create index "webhookendpoint_tenant_id_created_at_id" to table: "webhook_endpoints"
CREATE INDEX `webhookendpoint_tenant_id_created_at_id` ON `webhook_endpoints` (`tenant_id`, `created_at`, `id`);
-- Create "webhook_recoveries" table
CREATE TABLE `webhook_recoveries` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `since` datetime NULL,
  `endpoint_id` integer NULL,
  `event` text NULL,
  `last_id` integer NOT NULL,
  `cursor` integer NOT NULL DEFAULT (0),
  `matched` integer NOT NULL,
  `redelivered` integer NOT NULL DEFAULT (0),
  `skipped` integer NOT NULL DEFAULT (0),
  `state` text NOT NULL DEFAULT ('RUNNING'),
  `actor_kind` text NOT NULL,
  `actor_id` integer NULL,
  `actor_name` text NOT NULL,
  `surface` text NOT NULL,
  `request_id` text NOT NULL,
  `finished_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  CONSTRAINT `webhook_recoveries_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT
);
-- Create index "webhookrecovery_tenant_id_id" to table: "webhook_recoveries"
CREATE INDEX `webhookrecovery_tenant_id_id` ON `webhook_recoveries` (`tenant_id`, `id`);
-- Create index "webhookrecovery_running" to table: "webhook_recoveries"
CREATE INDEX `webhookrecovery_running` ON `webhook_recoveries` (`id`) WHERE finished_at IS NULL;
