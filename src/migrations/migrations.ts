import * as initial from './0001_initial.ts'
import * as userPicture from './0002_user_picture.ts'
import * as companiesToEmbed from './0003_companies_to_embed.ts'
import * as embeddingModels from './0004_embedding_models.ts'
import * as bulkActions from './0005_bulk_actions.ts'
import * as languageModels from './0006_language_models.ts'
import * as bulkActionIndexes from './0007_bulk_action_indexes.ts'
import * as feedback from './0008_feedback.ts'
import * as activityTypes from './0009_activity_types.ts'
import * as externalWorkers from './0010_external_workers.ts'
import * as pageBudget from './0011_page_budget.ts'
import * as companyChangeLog from './0012_company_change_log.ts'
import * as access from './0013_access.ts'
import * as audit from './0014_audit.ts'
import * as ledger from './0015_ledger.ts'
import * as idempotencyKeys from './0017_idempotency_keys.ts'
import * as erasedAddresses from './0018_erased_addresses.ts'
import * as duplicates from './0019_duplicates.ts'
import * as sortIndexes from './0021_sort_indexes.ts'
import * as tagsAndOwners from './0022_tags_and_owners.ts'
import * as dealEconomics from './0023_deal_economics.ts'
import * as views from './0024_views.ts'
import * as customFields from './0025_custom_fields.ts'
import * as thesisMatches from './0026_thesis_matches.ts'
import * as changeEvents from './0027_change_events.ts'
import * as firstSignIns from './0028_first_sign_ins.ts'
import * as logos from './0029_logos.ts'
import * as embeddingSources from './0030_embedding_sources.ts'
import * as actionCounts from './0031_action_counts.ts'
import * as listPages from './0032_list_pages.ts'
import * as preferredVectors from './0033_preferred_vectors.ts'
import * as unfinishedActions from './0034_unfinished_actions.ts'
import * as duplicateEvents from './0035_duplicate_events.ts'
import * as normalizedText from './0036_normalized_text.ts'
import * as importEvidence from './0037_import_evidence.ts'
import * as searchVariants from './0038_search_variants.ts'
import * as undoPermissions from './0039_undo_permissions.ts'
import * as rejectedFeedback from './0040_rejected_feedback.ts'
import * as keptScores from './0041_kept_scores.ts'
import * as websiteChanges from './0042_website_changes.ts'
import * as people from './0043_people.ts'
import * as notes from './0044_notes.ts'
import * as eventReaders from './0045_event_readers.ts'
import * as dealSources from './0046_deal_sources.ts'
import * as bulkActionAttempts from './0047_bulk_action_attempts.ts'
import * as peopleIndexes from './0048_people_indexes.ts'
import * as importTypes from './0049_import_types.ts'
import * as decisions from './0050_decisions.ts'
import * as relationships from './0051_relationships.ts'
import * as undoneActions from './0052_undone_actions.ts'
import * as dealImports from './0053_deal_imports.ts'
import * as outbox from './0054_outbox.ts'
import * as tasks from './0055_tasks.ts'
import * as notifications from './0056_notifications.ts'
import * as mail from './0057_mail.ts'
import * as calendar from './0058_calendar.ts'
import * as backupRuns from './0059_backup_runs.ts'
import * as schemaRequirements from './0060_schema_requirements.ts'
import * as files from './0063_files.ts'
import * as fileTexts from './0064_file_texts.ts'

/** All migrations by name, in order. Never change one that has been released. */
export const migrations = {
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
  '0011_page_budget': pageBudget,
  '0012_company_change_log': companyChangeLog,
  '0013_access': access,
  '0014_audit': audit,
  '0015_ledger': ledger,
  '0017_idempotency_keys': idempotencyKeys,
  '0018_erased_addresses': erasedAddresses,
  '0019_duplicates': duplicates,
  '0021_sort_indexes': sortIndexes,
  '0022_tags_and_owners': tagsAndOwners,
  '0023_deal_economics': dealEconomics,
  '0024_views': views,
  '0025_custom_fields': customFields,
  '0026_thesis_matches': thesisMatches,
  '0027_change_events': changeEvents,
  '0028_first_sign_ins': firstSignIns,
  '0029_logos': logos,
  '0030_embedding_sources': embeddingSources,
  '0031_action_counts': actionCounts,
  '0032_list_pages': listPages,
  '0033_preferred_vectors': preferredVectors,
  '0034_unfinished_actions': unfinishedActions,
  '0035_duplicate_events': duplicateEvents,
  '0036_normalized_text': normalizedText,
  '0037_import_evidence': importEvidence,
  '0038_search_variants': searchVariants,
  '0039_undo_permissions': undoPermissions,
  '0040_rejected_feedback': rejectedFeedback,
  '0041_kept_scores': keptScores,
  '0042_website_changes': websiteChanges,
  '0043_people': people,
  '0044_notes': notes,
  '0045_event_readers': eventReaders,
  '0046_deal_sources': dealSources,
  '0047_bulk_action_attempts': bulkActionAttempts,
  '0048_people_indexes': peopleIndexes,
  '0049_import_types': importTypes,
  '0050_decisions': decisions,
  '0051_relationships': relationships,
  '0052_undone_actions': undoneActions,
  '0053_deal_imports': dealImports,
  '0054_outbox': outbox,
  '0055_tasks': tasks,
  '0056_notifications': notifications,
  '0057_mail': mail,
  '0058_calendar': calendar,
  '0059_backup_runs': backupRuns,
  '0060_schema_requirements': schemaRequirements,
  '0063_files': files,
  '0064_file_texts': fileTexts,
}
