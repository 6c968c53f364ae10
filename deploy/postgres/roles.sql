-- A role for each service in PostgreSQL. Once, before the first migration, by a superuser and in the database of the installation:
--   psql --set ON_ERROR_STOP=1 --file deploy/postgres/roles.sql <the database>
-- Each makes the schemas of its service and owns what is in them; no other reads it. The keys of persons are shared: whichever service
-- makes their tables first, all of them use them. Passwords are set afterwards, \password ponte_orders, and stand in DATABASE_URL.
DO $$
DECLARE
  role_name text;
BEGIN
  CREATE ROLE ponte_keys NOLOGIN;
  CREATE SCHEMA ponte_keys AUTHORIZATION ponte_keys;
  FOREACH role_name IN ARRAY ARRAY['ponte_gateway', 'ponte_onboarding', 'ponte_pricing', 'ponte_orders', 'ponte_movements', 'ponte_ledger', 'ponte_webhooks'] LOOP
    EXECUTE format('CREATE ROLE %I LOGIN', role_name);
    EXECUTE format('GRANT ponte_keys TO %I', role_name);
    EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO %I', current_database(), role_name);
    EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA ponte_keys GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ponte_keys', role_name);
  END LOOP;
END
$$;
