import { type MigrationProvider, Migrator } from 'kysely/migration'
import type { Db } from './database.ts'
import * as initial from '#src/migrations/0001_initial.ts'
import * as userPicture from '#src/migrations/0002_user_picture.ts'
import * as companiesToEmbed from '#src/migrations/0003_companies_to_embed.ts'
import * as embeddingModels from '#src/migrations/0004_embedding_models.ts'
import * as bulkActions from '#src/migrations/0005_bulk_actions.ts'
import * as languageModels from '#src/migrations/0006_language_models.ts'
import * as bulkActionIndexes from '#src/migrations/0007_bulk_action_indexes.ts'
import * as feedback from '#src/migrations/0008_feedback.ts'
import * as activityTypes from '#src/migrations/0009_activity_types.ts'
import * as externalWorkers from '#src/migrations/0010_external_workers.ts'

const provider: MigrationProvider = {
  getMigrations: async () => ({
    '0001_initial': initial,
    '0002_user_picture': userPicture,
    '0003_companies_to_embed': companiesToEmbed,
    '0004_embedding_models': embeddingModels,
    '0005_bulk_actions': bulkActions,
    '0006_language_models': languageModels,
    '0007_bulk_action_indexes': bulkActionIndexes,
    '0008_feedback': feedback,
    '0009_activity_types': activityTypes,
    '0010_external_workers': externalWorkers,
  }),
}

const migrator = (db: Db) => new Migrator({ db, provider })

/**
 * Brings the schema up to date. Processes that start at the same moment take turns by an advisory lock;
 * a migration that fails leaves nothing behind.
 */
export async function migrate(db: Db): Promise<void> {
  const { error } = await migrator(db).migrateToLatest()
  if (error) throw error
}

/** The migrations that this program knows and the database has not had. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await migrator(db).getMigrations()
  return migrations.filter((migration) => !migration.executedAt).map((migration) => migration.name)
}
