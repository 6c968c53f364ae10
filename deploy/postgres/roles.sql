-- Creates a PostgreSQL role for each service. Run it as a superuser in the database of the installation before the first migration, and
-- again before the migration of a version that adds shared tables:
--   psql --set ON_ERROR_STOP=1 --file deploy/postgres/roles.sql <the database>
-- Each role creates and owns the schemas of its service, which no other role can read. The keys of persons and the data that processes
-- exchange are shared: all services use their tables, and the first one to need them creates them. Set the passwords afterwards
-- (\password ponte_orders) and put them into DATABASE_URL.
DO $$
DECLARE
  shared_name text;
  role_name text;
BEGIN
  FOREACH shared_name IN ARRAY ARRAY['ponte_keys', 'ponte_shared'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = shared_name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', shared_name);
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', shared_name, shared_name);
  END LOOP;
  FOREACH role_name IN ARRAY ARRAY['ponte_gateway', 'ponte_onboarding', 'ponte_pricing', 'ponte_orders', 'ponte_movements', 'ponte_ledger', 'ponte_webhooks'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role_name);
    END IF;
    EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO %I', current_database(), role_name);
    FOREACH shared_name IN ARRAY ARRAY['ponte_keys', 'ponte_shared'] LOOP
      EXECUTE format('GRANT %I TO %I', shared_name, role_name);
      EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', role_name, shared_name, shared_name);
    END LOOP;
  END LOOP;
END
$$;
