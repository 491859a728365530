export type { CompanyAttachment } from './attachment.ts'
export { MAX_CHANGED_COMPANIES } from './bulk-change/bulk-change-schema.ts'
export { readTargetIds, targetOf } from './bulk-change/targets.ts'
export { newCompany, normalizeCompany, type StoredCompany } from './company-row.ts'
export { applyPatch, companyActivity, companyUpdate } from './company-update.ts'
export { companyCreator } from './create.ts'
export { MIN_CONFIDENCE, Profile, type StoredProfile } from './detail/profile-schema.ts'
export { companyFieldKind, readCompanyFields } from './fields.ts'
export { isCompanyId, profileKey, sourceKey } from './files.ts'
export { companyKind } from './kind.ts'
export { ListCaches } from './list/cache.ts'
export { tagCounts } from './list/count.ts'
export {
  type CompanySummary,
  type DuplicateReason,
  MAX_POSSIBLE_DUPLICATES,
  MIN_DUPLICATE_SCORE,
  PossibleDuplicate,
} from './possible-duplicate-schema.ts'
export { copyCompaniesBack, restoreCompanies, returnActivity } from './restore.ts'
export { type Company, CompanyPatch, companyProperties, NewCompany } from './schema.ts'
export { Score } from './score-schema.ts'
export { companyConditions } from './selection/conditions.ts'
export { parseSelection, type Selection } from './selection/selection.ts'
export {
  companyCounter,
  companyFields,
  insertCompanies,
  lockCompanies,
  readCompanies,
  readCompaniesWhere,
  readCompany,
  tagCounter,
  updateCompanies,
} from './store.ts'
export { MAX_TAG_LENGTH, MAX_TAGS } from './tag-schema.ts'
export { foldTag, normalizeTag, normalizeTags, tagsCell } from './tags.ts'
export { SHARED_HOSTS, siteOf } from './website.ts'
