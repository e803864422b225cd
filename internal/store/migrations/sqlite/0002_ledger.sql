-- What the schema cannot say: the ledger and the audit trail are append only, and every journal balances.

CREATE TRIGGER journals_no_update BEFORE UPDATE ON journals
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: update on journals'); END;
CREATE TRIGGER journals_no_delete BEFORE DELETE ON journals
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: delete on journals'); END;
CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: update on postings'); END;
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: delete on postings'); END;
CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'the audit trail is append only: update on audit_entries'); END;
CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'the audit trail is append only: delete on audit_entries'); END;

-- INSERT OR REPLACE deletes without a word to the triggers above.
CREATE TRIGGER journals_no_replace BEFORE INSERT ON journals WHEN EXISTS (SELECT 1 FROM journals WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: replace on journals'); END;
CREATE TRIGGER postings_no_replace BEFORE INSERT ON postings WHEN EXISTS (SELECT 1 FROM postings WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append only: replace on postings'); END;
CREATE TRIGGER audit_entries_no_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit trail is append only: replace on audit_entries'); END;

CREATE TRIGGER postings_not_zero BEFORE INSERT ON postings WHEN ROUND(NEW.amount * 100) = 0
BEGIN SELECT RAISE(ABORT, 'a posting is not zero'); END;

-- The journals that lack lines, within a transaction. SQLite has no trigger at the end of one, but it checks deferred
-- foreign keys there, and the reference of each row points at none: a transaction that leaves a row here cannot commit
-- ("FOREIGN KEY constraint failed"). A journal that is committed has all its lines and takes no other.
CREATE TABLE unfinished_journals (
  id integer NOT NULL PRIMARY KEY,
  tenant_id integer NOT NULL,
  kind text NOT NULL,
  lines_left integer NOT NULL,
  cents integer NOT NULL,
  nowhere integer NOT NULL REFERENCES unfinished_journals (id) DEFERRABLE INITIALLY DEFERRED
);

CREATE TRIGGER journals_begin AFTER INSERT ON journals
BEGIN
  INSERT INTO unfinished_journals (id, tenant_id, kind, lines_left, cents, nowhere)
  VALUES (NEW.id, NEW.tenant_id, NEW.kind, NEW.line_count, 0, -NEW.id);
END;

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
