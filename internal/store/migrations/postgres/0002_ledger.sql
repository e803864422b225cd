-- What the schema cannot say: the ledger and the audit trail are append only, and every journal balances.

-- refuse fails with the sentence that it is given.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: % on %', TG_ARGV[0], lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER journals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('the ledger is append only');
CREATE TRIGGER postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('the ledger is append only');
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('the audit trail is append only');

CREATE TRIGGER postings_not_zero BEFORE INSERT ON postings
  FOR EACH ROW WHEN (NEW.amount = 0) EXECUTE FUNCTION refuse('a posting is not zero');

-- A journal that is committed has all its lines, so that a later one would be one too many. Both functions keep to the
-- indexes: a plan of theirs that was made while the tables were small stays in use for as long as its connection.
CREATE FUNCTION postings_fit() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  journal bigint;
BEGIN
  SELECT j.id INTO journal
  FROM (SELECT DISTINCT tenant_id, journal_id, kind FROM added) a
  JOIN journals j ON j.id = a.journal_id
  WHERE j.tenant_id <> a.tenant_id OR j.kind <> a.kind
    OR j.line_count < (SELECT count(*) FROM postings p WHERE p.tenant_id = j.tenant_id AND p.journal_id = j.id)
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'a posting does not fit journal %: it is of another tenant or kind, or one too many', journal
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER postings_fit AFTER INSERT ON postings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION postings_fit();

CREATE FUNCTION journal_balances() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  lines bigint;
  total numeric;
BEGIN
  SELECT count(*), sum(amount) INTO lines, total
  FROM postings WHERE tenant_id = NEW.tenant_id AND journal_id = NEW.id;
  IF lines <> NEW.line_count OR total IS DISTINCT FROM 0 THEN
    RAISE EXCEPTION 'journal % does not balance: it has % of % lines, which add up to %', NEW.id, lines, NEW.line_count, total
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

-- At the end of the transaction, when the postings are there.
CREATE CONSTRAINT TRIGGER journals_balance AFTER INSERT ON journals DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION journal_balances();
