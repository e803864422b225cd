-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_journals" table
CREATE TABLE `new_journals` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `kind` text NOT NULL,
  `memo` text NULL,
  `line_count` integer NOT NULL,
  `episode` integer NULL,
  `revision` integer NOT NULL DEFAULT (0),
  `occurred_at` datetime NOT NULL,
  `effective_date` date NOT NULL,
  `tenant_id` integer NOT NULL,
  `disbursement_id` integer NULL,
  `payout_item_id` integer NULL,
  `deal_id` integer NULL,
  `payment_id` integer NULL,
  `reverses_id` integer NULL,
  CONSTRAINT `journals_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_disbursements_disbursement` FOREIGN KEY (`disbursement_id`) REFERENCES `disbursements` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_payout_items_payout_item` FOREIGN KEY (`payout_item_id`) REFERENCES `payout_items` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `journals_journals_reversals` FOREIGN KEY (`reverses_id`) REFERENCES `journals` (`id`) ON DELETE RESTRICT
);
-- Copy rows from old table "journals" to new temporary table "new_journals"
INSERT INTO `new_journals` (`id`, `created_at`, `kind`, `memo`, `line_count`, `episode`, `occurred_at`, `tenant_id`, `deal_id`, `payment_id`, `reverses_id`, `effective_date`)
SELECT j.id, j.created_at, j.kind, j.memo, j.line_count, j.episode, j.occurred_at, j.tenant_id, j.deal_id, j.payment_id, j.reverses_id,
  -- the day on which the money cleared or the deal was funded, else the day of recording
  CASE
    WHEN j.reverses_id IS NULL AND p.status = 'PAID' AND p.episode = j.episode AND p.cleared_date IS NOT NULL
      THEN MIN(MAX(p.cleared_date, COALESCE(local_day(d.funded_at, t.time_zone), p.cleared_date)), local_day(j.occurred_at, t.time_zone))
    WHEN j.reverses_id IS NULL AND j.payment_id IS NULL AND d.funded_at IS NOT NULL
      AND j.kind IN ('FUNDING', 'RENEWAL', 'PARTICIPATION', 'COMMISSION') AND COALESCE(j.memo, '') <> 'Draw paid out'
      THEN MIN(local_day(d.funded_at, t.time_zone), local_day(j.occurred_at, t.time_zone))
    ELSE local_day(j.occurred_at, t.time_zone) END
FROM journals j JOIN tenants t ON t.id = j.tenant_id
LEFT JOIN payments p ON p.id = j.payment_id LEFT JOIN deals d ON d.id = j.deal_id;
-- Drop "journals" table after copying rows
DROP TABLE `journals`;
-- Rename temporary table "new_journals" to "journals"
ALTER TABLE `new_journals` RENAME TO `journals`;
-- Create index "journal_tenant_id_id" to table: "journals"
CREATE INDEX `journal_tenant_id_id` ON `journals` (`tenant_id`, `id`);
-- Create index "journal_tenant_id_deal_id_id" to table: "journals"
CREATE INDEX `journal_tenant_id_deal_id_id` ON `journals` (`tenant_id`, `deal_id`, `id`);
-- Create index "journal_tenant_id_effective_date" to table: "journals"
CREATE INDEX `journal_tenant_id_effective_date` ON `journals` (`tenant_id`, `effective_date`);
-- Create index "journal_tenant_id_disbursement_id" to table: "journals"
CREATE INDEX `journal_tenant_id_disbursement_id` ON `journals` (`tenant_id`, `disbursement_id`);
-- Create index "journal_tenant_id_payout_item_id" to table: "journals"
CREATE INDEX `journal_tenant_id_payout_item_id` ON `journals` (`tenant_id`, `payout_item_id`);
-- Create index "journal_payment_episode" to table: "journals"
CREATE UNIQUE INDEX `journal_payment_episode` ON `journals` (`tenant_id`, `payment_id`, `episode`, `revision`, `kind`) WHERE reverses_id IS NULL;
-- Create index "journal_tenant_id_reverses_id" to table: "journals"
CREATE UNIQUE INDEX `journal_tenant_id_reverses_id` ON `journals` (`tenant_id`, `reverses_id`);
-- Create "new_loc_draws" table
CREATE TABLE `new_loc_draws` (
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
  `requested_by_user_id` integer NULL,
  `approved_by_user_id` integer NULL,
  CONSTRAINT `loc_draws_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `loc_draws_credit_facilities_facility` FOREIGN KEY (`facility_id`) REFERENCES `credit_facilities` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `loc_draws_users_requested_by_user` FOREIGN KEY (`requested_by_user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `loc_draws_users_approved_by_user` FOREIGN KEY (`approved_by_user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Copy rows from old table "loc_draws" to new temporary table "new_loc_draws"
INSERT INTO `new_loc_draws` (`id`, `created_at`, `updated_at`, `amount`, `status`, `fee_amount`, `payback_amount`, `requested_by`, `declined_reason`, `funded_at`, `tenant_id`, `facility_id`) SELECT `id`, `created_at`, `updated_at`, `amount`, `status`, `fee_amount`, `payback_amount`, `requested_by`, `declined_reason`, `funded_at`, `tenant_id`, `facility_id` FROM `loc_draws`;
-- Drop "loc_draws" table after copying rows
DROP TABLE `loc_draws`;
-- Rename temporary table "new_loc_draws" to "loc_draws"
ALTER TABLE `new_loc_draws` RENAME TO `loc_draws`;
-- Create index "locdraw_tenant_id_id" to table: "loc_draws"
CREATE INDEX `locdraw_tenant_id_id` ON `loc_draws` (`tenant_id`, `id`);
-- Create index "locdraw_tenant_id_facility_id_id" to table: "loc_draws"
CREATE INDEX `locdraw_tenant_id_facility_id_id` ON `loc_draws` (`tenant_id`, `facility_id`, `id`);
-- Create "new_payments" table
CREATE TABLE `new_payments` (
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
  `fee_for_id` integer NULL,
  `payoff_id` integer NULL,
  CONSTRAINT `payments_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_accounts_account` FOREIGN KEY (`account_id`) REFERENCES `accounts` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_bounce_codes_bounce_code` FOREIGN KEY (`bounce_code_id`) REFERENCES `bounce_codes` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_bank_account_tokens_bank_account_token` FOREIGN KEY (`bank_account_token_id`) REFERENCES `bank_account_tokens` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_loc_draws_loc_draw` FOREIGN KEY (`loc_draw_id`) REFERENCES `loc_draws` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_payments_makes_up_for` FOREIGN KEY (`made_up_by_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_payments_fees` FOREIGN KEY (`fee_for_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payments_payments_paid_off` FOREIGN KEY (`payoff_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT
);
-- Copy rows from old table "payments" to new temporary table "new_payments"
INSERT INTO `new_payments` (`id`, `created_at`, `updated_at`, `type`, `status`, `amount`, `direction`, `source`, `method`, `episode`, `planned_amount`, `scheduled_date`, `cleared_date`, `external_transfer_id`, `reference_id`, `note`, `initiated_at`, `returned_at`, `tenant_id`, `deal_id`, `account_id`, `syndicator_id`, `bounce_code_id`, `bank_account_token_id`, `loc_draw_id`, `made_up_by_id`) SELECT `id`, `created_at`, `updated_at`, `type`, `status`, `amount`, `direction`, `source`, `method`, `episode`, `planned_amount`, `scheduled_date`, `cleared_date`, `external_transfer_id`, `reference_id`, `note`, `initiated_at`, `returned_at`, `tenant_id`, `deal_id`, `account_id`, `syndicator_id`, `bounce_code_id`, `bank_account_token_id`, `loc_draw_id`, `made_up_by_id` FROM `payments`;
-- Drop "payments" table after copying rows
DROP TABLE `payments`;
-- Rename temporary table "new_payments" to "payments"
ALTER TABLE `new_payments` RENAME TO `payments`;
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
-- Create index "payment_tenant_id_fee_for_id" to table: "payments"
CREATE INDEX `payment_tenant_id_fee_for_id` ON `payments` (`tenant_id`, `fee_for_id`);
-- Create index "payment_tenant_id_payoff_id" to table: "payments"
CREATE INDEX `payment_tenant_id_payoff_id` ON `payments` (`tenant_id`, `payoff_id`);
-- Create index "payment_tenant_id_made_up_by_id" to table: "payments"
CREATE UNIQUE INDEX `payment_tenant_id_made_up_by_id` ON `payments` (`tenant_id`, `made_up_by_id`);
-- Create "new_payout_items" table
CREATE TABLE `new_payout_items` (
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
  `carried_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `batch_id` integer NOT NULL,
  `iso_id` integer NULL,
  `referrer_id` integer NULL,
  `syndicator_id` integer NULL,
  `deal_id` integer NULL,
  `payment_id` integer NULL,
  `collected_payment_id` integer NULL,
  `reverses_id` integer NULL,
  `carried_from_id` integer NULL,
  CONSTRAINT `payout_items_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payout_batches_batch` FOREIGN KEY (`batch_id`) REFERENCES `payout_batches` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_isos_iso` FOREIGN KEY (`iso_id`) REFERENCES `isos` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_referrers_referrer` FOREIGN KEY (`referrer_id`) REFERENCES `referrers` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payments_collected_payment` FOREIGN KEY (`collected_payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payout_items_reversals` FOREIGN KEY (`reverses_id`) REFERENCES `payout_items` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `payout_items_payout_items_carried_to` FOREIGN KEY (`carried_from_id`) REFERENCES `payout_items` (`id`) ON DELETE RESTRICT
);
-- Copy rows from old table "payout_items" to new temporary table "new_payout_items"
INSERT INTO `new_payout_items` (`id`, `created_at`, `amount`, `status`, `clawback_amount`, `episode`, `held_reason`, `clawback_note`, `clawback_risk_at`, `clawed_back_at`, `tenant_id`, `batch_id`, `iso_id`, `referrer_id`, `syndicator_id`, `deal_id`, `payment_id`, `collected_payment_id`, `reverses_id`) SELECT `id`, `created_at`, `amount`, `status`, `clawback_amount`, `episode`, `held_reason`, `clawback_note`, `clawback_risk_at`, `clawed_back_at`, `tenant_id`, `batch_id`, `iso_id`, `referrer_id`, `syndicator_id`, `deal_id`, `payment_id`, `collected_payment_id`, `reverses_id` FROM `payout_items`;
-- Drop "payout_items" table after copying rows
DROP TABLE `payout_items`;
-- Rename temporary table "new_payout_items" to "payout_items"
ALTER TABLE `new_payout_items` RENAME TO `payout_items`;
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
CREATE UNIQUE INDEX `payoutitem_collected_share` ON `payout_items` (`tenant_id`, `collected_payment_id`, `episode`, `syndicator_id`) WHERE ((reverses_id IS NULL) AND (carried_from_id IS NULL));
-- Create index "payoutitem_reversal" to table: "payout_items"
CREATE UNIQUE INDEX `payoutitem_reversal` ON `payout_items` (`tenant_id`, `reverses_id`) WHERE carried_from_id IS NULL;
-- Create index "payoutitem_tenant_id_carried_from_id" to table: "payout_items"
CREATE UNIQUE INDEX `payoutitem_tenant_id_carried_from_id` ON `payout_items` (`tenant_id`, `carried_from_id`);
-- Create "new_postings" table
CREATE TABLE `new_postings` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `account` text NOT NULL,
  `kind` text NOT NULL,
  `amount` decimal NOT NULL,
  `tenant_id` integer NOT NULL,
  `journal_id` integer NOT NULL,
  `deal_id` integer NULL,
  `syndicator_id` integer NULL,
  `iso_id` integer NULL,
  `payment_id` integer NULL,
  CONSTRAINT `postings_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_journals_journal` FOREIGN KEY (`journal_id`) REFERENCES `journals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_syndicators_syndicator` FOREIGN KEY (`syndicator_id`) REFERENCES `syndicators` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_isos_iso` FOREIGN KEY (`iso_id`) REFERENCES `isos` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `postings_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT
);
-- Copy rows from old table "postings" to new temporary table "new_postings"
INSERT INTO `new_postings` (`id`, `account`, `kind`, `amount`, `tenant_id`, `journal_id`, `deal_id`, `syndicator_id`, `iso_id`, `payment_id`)
SELECT p.id, p.account, p.kind, p.amount, p.tenant_id, p.journal_id, p.deal_id, p.syndicator_id,
  CASE WHEN p.account IN ('1210', '2200') THEN d.iso_id END, p.payment_id
FROM postings p LEFT JOIN deals d ON d.id = p.deal_id;
-- Drop "postings" table after copying rows
DROP TABLE `postings`;
-- Rename temporary table "new_postings" to "postings"
ALTER TABLE `new_postings` RENAME TO `postings`;
-- Create index "posting_tenant_id_id" to table: "postings"
CREATE INDEX `posting_tenant_id_id` ON `postings` (`tenant_id`, `id`);
-- Create index "posting_tenant_id_journal_id" to table: "postings"
CREATE INDEX `posting_tenant_id_journal_id` ON `postings` (`tenant_id`, `journal_id`);
-- Create index "posting_tenant_id_deal_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_deal_id_account` ON `postings` (`tenant_id`, `deal_id`, `account`);
-- Create index "posting_tenant_id_syndicator_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_syndicator_id_account` ON `postings` (`tenant_id`, `syndicator_id`, `account`);
-- Create index "posting_tenant_id_iso_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_iso_id_account` ON `postings` (`tenant_id`, `iso_id`, `account`);
-- Create index "posting_tenant_id_account" to table: "postings"
CREATE INDEX `posting_tenant_id_account` ON `postings` (`tenant_id`, `account`);
-- What is PAID cleared on a day between the deal's funding and the recording: on that of the recording where none is known
UPDATE payments SET cleared_date = x.day FROM (
  SELECT j.payment_id, MAX(j.effective_date) AS day FROM journals j JOIN payments p ON p.id = j.payment_id
  WHERE p.status = 'PAID' AND j.episode = p.episode AND j.reverses_id IS NULL GROUP BY j.payment_id) x
WHERE x.payment_id = payments.id AND payments.cleared_date IS NOT x.day;
-- Create "account_accesses" table
CREATE TABLE `account_accesses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `kind` text NOT NULL,
  `lifted_by` text NULL,
  `lifted_at` datetime NULL,
  `tenant_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `opened_by_id` integer NOT NULL,
  CONSTRAINT `account_accesses_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `account_accesses_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `account_accesses_users_opened_by` FOREIGN KEY (`opened_by_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "accountaccess_tenant_id_id" to table: "account_accesses"
CREATE INDEX `accountaccess_tenant_id_id` ON `account_accesses` (`tenant_id`, `id`);
-- Create index "accountaccess_tenant_id_user_id_created_at" to table: "account_accesses"
CREATE INDEX `accountaccess_tenant_id_user_id_created_at` ON `account_accesses` (`tenant_id`, `user_id`, `created_at`);
-- Create index "accountaccess_tenant_id_opened_by_id_created_at" to table: "account_accesses"
CREATE INDEX `accountaccess_tenant_id_opened_by_id_created_at` ON `account_accesses` (`tenant_id`, `opened_by_id`, `created_at`);
-- Create "collection_holds" table
CREATE TABLE `collection_holds` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `reason` text NOT NULL,
  `code` text NULL,
  `note` text NULL,
  `since` datetime NOT NULL,
  `until` datetime NULL,
  `released_at` datetime NULL,
  `release_note` text NULL,
  `released_by` text NULL,
  `tenant_id` integer NOT NULL,
  `deal_id` integer NOT NULL,
  `payment_id` integer NULL,
  `bank_account_token_id` integer NULL,
  `released_by_user_id` integer NULL,
  CONSTRAINT `collection_holds_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `collection_holds_deals_deal` FOREIGN KEY (`deal_id`) REFERENCES `deals` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `collection_holds_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `collection_holds_bank_account_tokens_bank_account_token` FOREIGN KEY (`bank_account_token_id`) REFERENCES `bank_account_tokens` (`id`) ON DELETE RESTRICT,
  CONSTRAINT `collection_holds_users_released_by_user` FOREIGN KEY (`released_by_user_id`) REFERENCES `users` (`id`) ON DELETE RESTRICT
);
-- Create index "collectionhold_tenant_id_id" to table: "collection_holds"
CREATE INDEX `collectionhold_tenant_id_id` ON `collection_holds` (`tenant_id`, `id`);
-- Create index "collectionhold_tenant_id_deal_id_id" to table: "collection_holds"
CREATE INDEX `collectionhold_tenant_id_deal_id_id` ON `collection_holds` (`tenant_id`, `deal_id`, `id`);
-- Create index "collectionhold_standing" to table: "collection_holds"
CREATE UNIQUE INDEX `collectionhold_standing` ON `collection_holds` (`tenant_id`, `deal_id`, `reason`) WHERE released_at IS NULL;
-- Create "secret_keys" table
CREATE TABLE `secret_keys` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `key_id` text NOT NULL,
  `fingerprint` blob NOT NULL,
  `retired_at` datetime NULL
);
-- Create index "secret_keys_key_id_key" to table: "secret_keys"
CREATE UNIQUE INDEX `secret_keys_key_id_key` ON `secret_keys` (`key_id`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
-- Create the triggers of "journals", which went with the old table
CREATE TRIGGER journals_no_update BEFORE UPDATE ON journals
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: update on journals'); END;
CREATE TRIGGER journals_no_delete BEFORE DELETE ON journals
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: delete on journals'); END;
CREATE TRIGGER journals_no_replace BEFORE INSERT ON journals WHEN EXISTS (SELECT 1 FROM journals WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: replace on journals'); END;
CREATE TRIGGER journals_begin AFTER INSERT ON journals
BEGIN
  INSERT INTO unfinished_journals (id, tenant_id, kind, lines_left, cents, nowhere)
  VALUES (NEW.id, NEW.tenant_id, NEW.kind, NEW.line_count, 0, -NEW.id);
END;
-- Create the triggers of "postings", which went with the old table
CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: update on postings'); END;
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: delete on postings'); END;
CREATE TRIGGER postings_no_replace BEFORE INSERT ON postings WHEN EXISTS (SELECT 1 FROM postings WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: replace on postings'); END;
CREATE TRIGGER postings_not_zero BEFORE INSERT ON postings WHEN ROUND(NEW.amount * 100) = 0
BEGIN SELECT RAISE(ABORT, 'a posting is not zero'); END;
CREATE TRIGGER postings_fit AFTER INSERT ON postings
BEGIN
  SELECT RAISE(ABORT, 'a posting does not fit its journal: it is of another tenant or kind, or one too many')
  WHERE NOT EXISTS (SELECT 1 FROM unfinished_journals
    WHERE id = NEW.journal_id AND tenant_id = NEW.tenant_id AND kind = NEW.kind);

  UPDATE unfinished_journals SET lines_left = lines_left - 1, cents = cents + CAST(ROUND(NEW.amount * 100) AS integer)
  WHERE id = NEW.journal_id;

  SELECT RAISE(ABORT, 'a journal does not balance: its lines do not add up to zero')
  FROM unfinished_journals WHERE id = NEW.journal_id AND lines_left = 0 AND cents <> 0;

  DELETE FROM unfinished_journals WHERE id = NEW.journal_id AND lines_left = 0;
END;
-- The account of money that is on its way, for the companies that there are
INSERT INTO accounts (tenant_id, created_at, code, name, type)
SELECT t.id, t.created_at, '1020', 'Cash in transit', 'ASSET' FROM tenants t
WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.tenant_id = t.id)
  AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.tenant_id = t.id AND a.code = '1020');
-- Advances whose transfer failed or was called off: the cash is in transit until they are sent again
INSERT INTO journals (tenant_id, created_at, kind, memo, line_count, deal_id, disbursement_id, revision, occurred_at, effective_date)
SELECT d.tenant_id, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'), 'DISBURSEMENT', 'Transfer of the advance failed', 2, d.deal_id, d.id, 0, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'), local_day(COALESCE(d.failed_at, d.updated_at), t.time_zone)
FROM disbursements d JOIN tenants t ON t.id = d.tenant_id WHERE d.status IN ('FAILED', 'CANCELLED');
INSERT INTO postings (tenant_id, journal_id, account, kind, amount, deal_id)
SELECT j.tenant_id, j.id, '1000', j.kind, d.amount, j.deal_id
FROM journals j JOIN disbursements d ON d.id = j.disbursement_id WHERE j.kind = 'DISBURSEMENT'
UNION ALL
SELECT j.tenant_id, j.id, '1020', j.kind, -d.amount, j.deal_id
FROM journals j JOIN disbursements d ON d.id = j.disbursement_id WHERE j.kind = 'DISBURSEMENT';
