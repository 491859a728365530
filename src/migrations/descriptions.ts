import type { migrations } from './migrations.ts'

/** What an administrator is told about a migration. */
export interface Description {
  /** One sentence. */
  text: string
  /** The tables of which it reads or writes all rows, and about how many seconds a million of them take. */
  seconds?: Readonly<Record<string, number>>
}

/** Of every migration. `npm run cli -- upgrade plan` shows them. */
export const DESCRIPTIONS: Readonly<Record<keyof typeof migrations, Description>> = {
  '0001_initial': { text: 'Creates companies, theses, deals, users, and the activity log.' },
  '0002_user_picture': { text: 'Adds pictures of users.' },
  '0003_companies_to_embed': {
    text: 'Notes which companies the search has to index again.',
    seconds: { companies: 4 },
  },
  '0004_embedding_models': { text: 'Adds the models of semantic search.' },
  '0005_bulk_actions': { text: 'Adds bulk actions.' },
  '0006_language_models': { text: 'Adds language models to bulk actions.' },
  '0007_bulk_action_indexes': {
    text: 'Makes large bulk actions faster.',
    seconds: { bulk_action_companies: 3 },
  },
  '0008_feedback': { text: 'Adds feedback.' },
  '0009_activity_types': { text: 'Filters and counts the activity log by type.', seconds: { activity: 3 } },
  '0010_external_workers': { text: 'Adds workers outside of the service.' },
  '0011_page_budget': { text: 'Limits the size of pages.' },
  '0012_company_change_log': { text: 'Adds a log of changed companies.' },
  '0013_access': { text: 'Adds sessions, API keys, and disabled users.' },
  '0014_audit': { text: 'Adds the audit log.' },
  '0015_ledger': { text: 'Adds history, undo, and the trash.', seconds: { activity: 1 } },
  '0017_idempotency_keys': { text: 'Adds idempotency keys.' },
  '0018_erased_addresses': { text: 'Refuses the old credentials of erased people.' },
  '0019_duplicates': { text: 'Adds possible duplicates.', seconds: { companies: 4 } },
  '0021_sort_indexes': { text: 'Sorts companies by more columns.', seconds: { companies: 12 } },
  '0022_tags_and_owners': { text: 'Adds tags of companies and owners.', seconds: { companies: 4 } },
  '0023_deal_economics': {
    text: 'Adds amounts of deals and configurable stages.',
    seconds: { dealflow: 30 },
  },
  '0024_views': { text: 'Adds saved views.' },
  '0025_custom_fields': { text: 'Adds custom fields.' },
  '0026_thesis_matches': { text: 'Adds criteria of theses and their matches.' },
  '0027_change_events': { text: 'Adds the log of changes, and a list of imports.' },
  '0028_first_sign_ins': { text: 'Notes when users first signed in.' },
  '0029_logos': { text: 'Adds logos of companies.' },
  '0030_embedding_sources': { text: 'Notes where the models of semantic search run.' },
  '0031_action_counts': { text: 'Filters and counts the history.', seconds: { actions: 4 } },
  '0032_list_pages': { text: 'Keeps lists of companies fast after undone imports.' },
  '0033_preferred_vectors': { text: 'Gives companies with deals and theses priority in semantic search.' },
  '0034_unfinished_actions': { text: 'Undoes changes that were cut off.' },
  '0035_duplicate_events': { text: 'Reports changes of possible duplicates.' },
  '0036_normalized_text': {
    text: 'Removes invisible characters from stored texts.',
    seconds: { companies: 20, dealflow: 20, trash: 20 },
  },
  '0037_import_evidence': {
    text: 'Lets imports find companies by name and website.',
    seconds: { companies: 20, trash: 5 },
  },
  '0038_search_variants': {
    text: 'Finds companies by website, and by letters that are spelled out.',
    seconds: { companies: 220 },
  },
  '0039_undo_permissions': { text: 'Continues undos with the permissions that they began with.' },
  '0040_rejected_feedback': { text: 'Stops sending feedback that the tracker has rejected.' },
  '0041_kept_scores': { text: 'Lets bulk actions keep entered scores.' },
  '0042_website_changes': { text: 'Replaces the log of changed companies by a queue of websites.' },
  '0043_people': { text: 'Adds people.' },
  '0044_notes': { text: 'Adds notes, links, and private records.', seconds: { trash: 5 } },
  '0045_event_readers': { text: 'Sends changes of private records only to those who may see them.' },
  '0046_deal_sources': { text: 'Adds who brought a deal.', seconds: { dealflow: 3 } },
  '0047_bulk_action_attempts': { text: 'Tells attempts of bulk actions apart.' },
  '0048_people_indexes': { text: 'Finds people by tag and name.', seconds: { people: 30 } },
  '0049_import_types': { text: 'Adds imports of people and notes.', seconds: { notes: 10, trash: 5 } },
  '0050_decisions': { text: 'Adds decisions.', seconds: { companies: 3 } },
  '0051_relationships': { text: 'Adds who on the team knows whom.' },
  '0052_undone_actions': { text: 'Makes timelines faster.', seconds: { actions: 1 } },
  '0053_deal_imports': { text: 'Adds imports of deals.', seconds: { dealflow: 3, trash: 5 } },
  '0054_outbox': { text: 'Turns the log of changes into the log of events.' },
  '0055_tasks': { text: 'Adds tasks.' },
  '0056_notifications': { text: 'Adds the inbox and following.' },
  '0057_mail': { text: 'Adds mail.' },
  '0058_calendar': { text: 'Adds calendar addresses.' },
  '0059_backup_runs': { text: 'Adds scheduled backups.' },
  '0060_schema_requirements': { text: 'Notes which versions can work with the database.' },
  '0061_former_events': { text: 'Keeps the event streams of the previous version going.' },
  '0062_unsubscribe_tokens': { text: 'Encrypts addresses to unsubscribe.' },
  '0063_files': { text: 'Adds files.' },
  '0064_file_texts': { text: 'Adds the text of files.' },
  '0065_file_scans': { text: 'Adds the virus scan of files.' },
}
