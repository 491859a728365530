/** The limits, vocabularies, and notations of the API that forms need. */
export { AUDIT_EVENTS, type AuditEvent } from '#src/features/audit/schema.ts'
export { MAX_COMPANIES as MAX_BULK_ACTION_COMPANIES } from '#src/features/bulk-actions/schema.ts'
export { MAX_CHANGED_COMPANIES } from '#src/features/companies/bulk-change/bulk-change-schema.ts'
export { MAX_FACET_VALUES } from '#src/features/companies/facets/facets-schema.ts'
export {
  COMPANY_STATUSES,
  MAX_DESCRIPTION_LENGTH,
  MAX_FOUNDED_YEAR,
  MAX_NAME_LENGTH,
  MAX_WEBSITE_LENGTH,
  MIN_FOUNDED_YEAR,
} from '#src/features/companies/schema.ts'
export { MAX_TAG_LENGTH, MAX_TAGS } from '#src/features/companies/tag-schema.ts'
export { MAX_CHANGED_DEALS } from '#src/features/deals/bulk-change-schema.ts'
export {
  DEAL_STATUSES,
  MAX_LOST_REASON_LENGTH,
  MAX_NOTES_LENGTH,
  MAX_ROUND_LENGTH,
  MAX_SOURCE_LENGTH,
  STAGES,
  STUCK_DAYS,
} from '#src/features/deals/schema.ts'
export { SOURCE_CHANNELS, SOURCE_TYPES, type SourceType } from '#src/features/deals/source-schema.ts'
export {
  MAX_STAGE_DEALS,
  MAX_STAGE_LABEL_LENGTH,
  MAX_STAGES,
  OUTCOMES,
} from '#src/features/deals/stage-schema.ts'
export { MAX_REASON_LABEL_LENGTH } from '#src/features/decisions/reasons-schema.ts'
export {
  MAX_ASKED,
  MAX_BODY_BYTES as MAX_DECISION_BYTES,
  MAX_COMMENT_LENGTH as MAX_VOTE_COMMENT_LENGTH,
  MAX_REASONS,
  OUTCOMES as DECISION_OUTCOMES,
  VOTES,
} from '#src/features/decisions/schema.ts'
export {
  FEEDBACK_TYPES,
  MAX_FEEDBACK_LENGTH,
  MAX_FEEDBACK_TITLE_LENGTH,
  MAX_PAGE_LENGTH,
} from '#src/features/feedback/schema.ts'
export {
  CUSTOM_FIELD_TYPES,
  MAX_CUSTOM_FIELDS,
  MAX_CUSTOM_LONG_TEXT_LENGTH,
  MAX_CUSTOM_NUMBER,
  MAX_CUSTOM_TEXT_LENGTH,
  MAX_FIELD_LABEL_LENGTH,
  MAX_FIELD_OPTIONS,
} from '#src/features/fields/schema.ts'
export { FILE_TYPES, MAX_FILE_BYTES, MAX_FILE_MB, MAX_FILE_NAME_LENGTH } from '#src/features/files/schema.ts'
export { DEFAULT_KEY_DAYS, MAX_KEY_NAME_LENGTH, MAX_KEYS_PER_USER } from '#src/features/keys/schema.ts'
export { ABOUT_TYPES, type AboutType, MAX_ABOUT } from '#src/features/links/schema.ts'
export {
  MAX_BODY_BYTES as MAX_NOTE_BYTES,
  MAX_MENTIONS,
  MAX_PARTICIPANTS,
  MAX_TITLE_LENGTH as MAX_NOTE_TITLE_LENGTH,
  NOTE_KINDS,
} from '#src/features/notes/schema.ts'
export { MAIL_TIMES, NOTIFICATION_KINDS } from '#src/features/notifications/schema.ts'
export { MAX_PERSON_NAME_LENGTH } from '#src/features/people/schema.ts'
export { MAX_QUESTION_LENGTH } from '#src/features/search/schema.ts'
export { MAX_CHANGED_TASKS } from '#src/features/tasks/bulk-change-schema.ts'
export { MAX_TASK_DAYS, MAX_TASK_TITLE_LENGTH } from '#src/features/tasks/schema.ts'
export {
  MAX_CODE_LENGTH,
  MAX_CRITERIA,
  MAX_CRITERION_LENGTH,
  MAX_CRITERION_WEIGHT,
  MAX_SUMMARY_LENGTH,
  MAX_THESIS_TITLE_LENGTH,
  MIN_CRITERION_WEIGHT,
  THESIS_STATUSES,
} from '#src/features/theses/schema.ts'
export {
  MAX_COLUMN_WIDTH,
  MAX_VIEW_COLUMNS,
  MAX_VIEW_NAME_LENGTH,
  VIEW_ENTITIES,
  VISIBILITIES,
} from '#src/features/views/schema.ts'
export {
  type FieldType,
  type Filter,
  type FilterLeaf,
  hasNullsFirst,
  joinSort,
  MAX_FILTER_DEPTH,
  MAX_FILTER_LEAVES,
  MAX_FILTER_LENGTH,
  MAX_FILTER_VALUES,
  MAX_SORT_FIELDS,
  OPERATORS_BY_TYPE,
  type Operator,
  type SortKey,
  splitSort,
} from '#src/platform/filter/schema.ts'
export {
  type Action,
  includesRole,
  ROLES,
  type Role,
  roleOf,
  SCOPES,
  type Scope,
} from '#src/platform/http/security/permissions.ts'
export { freeKey } from '#src/platform/schema/label-key.ts'
export { NUMERALS, numeralValue, parseNumeral, UNIT_FACTORS } from '#src/platform/schema/numerals.ts'
export { fold, foldText, searchTerms } from '#src/platform/schema/search-terms.ts'
export { truncate } from '#src/platform/truncate.ts'
