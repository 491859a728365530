import { undoAction } from '#src/features/actions/schema.ts'
import * as actions from '#src/features/activity/action-schema.ts'
import * as activity from '#src/features/activity/schema.ts'
import * as assets from '#src/features/assets/schema.ts'
import * as audit from '#src/features/audit/schema.ts'
import * as auth from '#src/features/auth/schema.ts'
import * as bulkActions from '#src/features/bulk-actions/endpoint-schema.ts'
import { getBulkActionReadiness } from '#src/features/bulk-actions/readiness-schema.ts'
import * as work from '#src/features/bulk-actions/work-schema.ts'
import { updateCompanies } from '#src/features/companies/bulk-change-schema.ts'
import { getCompany, getCompanyHistory } from '#src/features/companies/detail-schema.ts'
import { importCompanies } from '#src/features/companies/import/schema.ts'
import { exportCompanies } from '#src/features/companies/list/export-schema.ts'
import { getCompanyFacets } from '#src/features/companies/list/facets-schema.ts'
import * as companies from '#src/features/companies/schema.ts'
import * as dealflow from '#src/features/dealflow/schema.ts'
import * as feedback from '#src/features/feedback/schema.ts'
import * as keys from '#src/features/keys/schema.ts'
import * as search from '#src/features/search/schema.ts'
import * as sessions from '#src/features/sessions/schema.ts'
import * as stats from '#src/features/stats/schema.ts'
import * as theses from '#src/features/theses/schema.ts'
import * as trash from '#src/features/trash/schema.ts'
import * as users from '#src/features/users/schema.ts'

/** All operations of the API by their operationId. Signing in is left out: it needs a browser. */
export const operations = {
  listCompanies: companies.listCompanies,
  getCompanyFacets,
  getCompany,
  createCompany: companies.createCompany,
  updateCompany: companies.updateCompany,
  updateCompanies,
  importCompanies,
  exportCompanies,
  searchCompanies: search.searchCompanies,
  listSimilarCompanies: search.listSimilarCompanies,
  getSearchStatus: search.getSearchStatus,
  listTheses: theses.listTheses,
  getThesis: theses.getThesis,
  createThesis: theses.createThesis,
  updateThesis: theses.updateThesis,
  listDeals: dealflow.listDeals,
  getDealStages: dealflow.getDealStages,
  getDeal: dealflow.getDeal,
  createDeal: dealflow.createDeal,
  updateDeal: dealflow.updateDeal,
  createBulkAction: bulkActions.createBulkAction,
  listBulkActions: bulkActions.listBulkActions,
  getBulkActionReadiness,
  getBulkAction: bulkActions.getBulkAction,
  updateBulkAction: bulkActions.updateBulkAction,
  retryBulkAction: bulkActions.retryBulkAction,
  listBulkActionCompanies: bulkActions.listBulkActionCompanies,
  getBulkActionEvents: bulkActions.getBulkActionEvents,
  getBulkActionWork: work.getBulkActionWork,
  postBulkActionResults: work.postBulkActionResults,
  getProfile: assets.getProfile,
  getSource: assets.getSource,
  listActivity: activity.listActivity,
  getActivity: activity.getActivity,
  listActions: actions.listActions,
  getAction: actions.getAction,
  undoAction,
  getCompanyHistory,
  getDealHistory: dealflow.getDealHistory,
  getThesisHistory: theses.getThesisHistory,
  deleteCompany: trash.deleteCompany,
  deleteCompanies: trash.deleteCompanies,
  deleteDeal: trash.deleteDeal,
  deleteThesis: trash.deleteThesis,
  listTrash: trash.listTrash,
  restoreRecord: trash.restoreRecord,
  purgeRecord: trash.purgeRecord,
  listAuditEntries: audit.listAuditEntries,
  exportAuditEntries: audit.exportAuditEntries,
  getStats: stats.getStats,
  listUsers: users.listUsers,
  getUser: users.getUser,
  updateUser: users.updateUser,
  submitFeedback: feedback.submitFeedback,
  listFeedback: feedback.listFeedback,
  getFeedback: feedback.getFeedback,
  getCurrentUser: auth.getCurrentUser,
  getAuthenticationStatus: auth.getAuthenticationStatus,
  signOut: auth.signOut,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  endSessions: sessions.endSessions,
  listKeys: keys.listKeys,
  createKey: keys.createKey,
  revokeKey: keys.revokeKey,
}
