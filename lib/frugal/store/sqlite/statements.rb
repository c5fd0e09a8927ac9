# frozen_string_literal: true

module Frugal
  class Store
    # The SQL of this engine.
    module SQLite
      # The statements of a {Connection}. Statements whose names end in +_expiring+, and +sweep+,
      # are for a table that has the column of deadlines.
      STATEMENTS = {
        begin_read: "BEGIN", begin_write: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK",
        value: "SELECT value FROM roots WHERE key = ?", keys: "SELECT key FROM roots ORDER BY id",
        keys_between: "SELECT key FROM roots WHERE key >= ? AND key < ? OR key >= ? AND key < ? ORDER BY id",
        sizes: "SELECT key, length(value) FROM roots ORDER BY id", check: "PRAGMA integrity_check", vacuum: "VACUUM",
        delete: "DELETE FROM roots WHERE key = ?",
        put: "INSERT INTO roots (key, value) VALUES (?, ?) " \
             "ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
        schema_version: "PRAGMA schema_version",
        expires_column: "SELECT 1 FROM pragma_table_info('roots') WHERE name = 'expires'",
        value_expiring: "SELECT value, expires FROM roots WHERE key = ? AND (expires IS NULL OR expires > ?)",
        keys_expiring: "SELECT key FROM roots WHERE expires IS NULL OR expires > ? ORDER BY id",
        keys_between_expiring: "SELECT key FROM roots WHERE (key >= ? AND key < ? OR key >= ? AND key < ?) " \
                               "AND (expires IS NULL OR expires > ?) ORDER BY id",
        sizes_expiring: "SELECT key, length(value) FROM roots WHERE expires IS NULL OR expires > ? ORDER BY id",
        put_expiring: "INSERT INTO roots (key, value, expires) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE " \
                      "SET value = excluded.value, expires = excluded.expires " \
                      "WHERE value <> excluded.value OR expires IS NOT excluded.expires",
        delete_expiring: "DELETE FROM roots WHERE key = ? AND expires <= ?",
        expire_expiring: "UPDATE roots SET expires = ? WHERE key = ?",
        sweep: "DELETE FROM roots WHERE id IN (SELECT id FROM roots WHERE expires <= ? ORDER BY expires LIMIT ?)"
      }.freeze
      # Adds the column of deadlines to an existing table. Programs without support for it can still use the table.
      ADD_EXPIRY = ["ALTER TABLE roots ADD COLUMN expires INTEGER",
                    "CREATE INDEX roots_expires ON roots (expires) WHERE expires IS NOT NULL"].freeze
      private_constant :STATEMENTS, :ADD_EXPIRY
    end
  end
end
