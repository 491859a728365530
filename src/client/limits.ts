/** The limits and vocabularies of the API that forms need. */
export { AUDIT_EVENTS, type AuditEvent } from '#src/features/audit/schema.ts'
export { MAX_COMPANIES as MAX_BULK_ACTION_COMPANIES } from '#src/features/bulk-actions/schema.ts'
export { MAX_CHANGED_COMPANIES } from '#src/features/companies/bulk-change-schema.ts'
export {
  COMPANY_STATUSES,
  MAX_DESCRIPTION_LENGTH,
  MAX_FOUNDED_YEAR,
  MAX_NAME_LENGTH,
  MAX_WEBSITE_LENGTH,
  MIN_FOUNDED_YEAR,
} from '#src/features/companies/schema.ts'
export { DEAL_STATUSES, MAX_NOTES_LENGTH, STAGES } from '#src/features/dealflow/schema.ts'
export {
  FEEDBACK_TYPES,
  MAX_FEEDBACK_LENGTH,
  MAX_FEEDBACK_TITLE_LENGTH,
  MAX_PAGE_LENGTH,
} from '#src/features/feedback/schema.ts'
export { DEFAULT_KEY_DAYS, MAX_KEY_NAME_LENGTH, MAX_KEYS_PER_USER } from '#src/features/keys/schema.ts'
export { MAX_QUESTION_LENGTH } from '#src/features/search/schema.ts'
export {
  MAX_CODE_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_THESIS_TITLE_LENGTH,
  THESIS_STATUSES,
} from '#src/features/theses/schema.ts'
export {
  type Action,
  includesRole,
  ROLES,
  type Role,
  roleOf,
  SCOPES,
  type Scope,
} from '#src/platform/schema/permissions.ts'
