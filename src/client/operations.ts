import * as actions from '#src/features/activity/action-schema.ts'
import * as activity from '#src/features/activity/schema.ts'
import * as assets from '#src/features/assets/schema.ts'
import * as audit from '#src/features/audit/schema.ts'
import * as auth from '#src/features/auth/schema.ts'
import { getBackup, listBackups } from '#src/features/backups/schema.ts'
import * as briefs from '#src/features/briefs/schema.ts'
import * as bulkActions from '#src/features/bulk-actions/endpoint-schema.ts'
import { getBulkActionReadiness } from '#src/features/bulk-actions/readiness-schema.ts'
import * as work from '#src/features/bulk-actions/work-schema.ts'
import * as calendar from '#src/features/calendar/schema.ts'
import { updateCompanies } from '#src/features/companies/bulk-change/bulk-change-schema.ts'
import { getCompany, getCompanyHistory } from '#src/features/companies/detail/detail-schema.ts'
import { exportCompanies } from '#src/features/companies/export/export-schema.ts'
import { getCompanyFacets } from '#src/features/companies/facets/facets-schema.ts'
import { queryCompanies } from '#src/features/companies/list/query-schema.ts'
import * as deletion from '#src/features/companies/remove-schema.ts'
import * as companies from '#src/features/companies/schema.ts'
import { updateDeals } from '#src/features/deals/bulk-change-schema.ts'
import { exportDeals } from '#src/features/deals/export-schema.ts'
import * as deals from '#src/features/deals/schema.ts'
import * as stages from '#src/features/deals/stage-schema.ts'
import * as decisions from '#src/features/decisions/endpoint-schema.ts'
import { getReasonConfig, putReasonConfig } from '#src/features/decisions/reasons-schema.ts'
import * as duplicates from '#src/features/duplicates/schema.ts'
import { listEvents } from '#src/features/events/list-schema.ts'
import * as events from '#src/features/events/schema.ts'
import * as feedback from '#src/features/feedback/schema.ts'
import { listFields } from '#src/features/fields/list-schema.ts'
import * as fields from '#src/features/fields/schema.ts'
import { downloadCompanyFiles, downloadDealFiles } from '#src/features/files/archive-schema.ts'
import * as fileContent from '#src/features/files/content-schema.ts'
import * as files from '#src/features/files/endpoint-schema.ts'
import * as fileScans from '#src/features/files/scans/schema.ts'
import { transferFiles } from '#src/features/files/transfer-schema.ts'
import * as follows from '#src/features/follows/schema.ts'
import * as imports from '#src/features/imports/list-schema.ts'
import { importDeals, importNotes, importPeople } from '#src/features/imports/record-schema.ts'
import { importCompanies } from '#src/features/imports/schema.ts'
import * as keys from '#src/features/keys/schema.ts'
import { getLogo } from '#src/features/logos/schema.ts'
import * as mail from '#src/features/mail/schema.ts'
import * as matches from '#src/features/matches/schema.ts'
import { mergeCompanies, mergePeople } from '#src/features/merge/schema.ts'
import * as notes from '#src/features/notes/endpoint-schema.ts'
import { exportNotes } from '#src/features/notes/export-schema.ts'
import { transferNotes } from '#src/features/notes/transfer-schema.ts'
import * as notifications from '#src/features/notifications/schema.ts'
import * as notificationSettings from '#src/features/notifications/settings-schema.ts'
import * as companyPeople from '#src/features/people/company-schema.ts'
import * as duplicatePeople from '#src/features/people/duplicates-schema.ts'
import { exportPeople } from '#src/features/people/export-schema.ts'
import * as people from '#src/features/people/schema.ts'
import * as contacts from '#src/features/privacy/contacts/contact-schema.ts'
import * as quickSearch from '#src/features/quick-search/schema.ts'
import * as relationships from '#src/features/relationships/schema.ts'
import * as search from '#src/features/search/schema.ts'
import * as sessions from '#src/features/sessions/schema.ts'
import { getPipelineStats } from '#src/features/stats/pipeline-schema.ts'
import * as stats from '#src/features/stats/schema.ts'
import { getSourceStats } from '#src/features/stats/source-schema.ts'
import * as tags from '#src/features/tags/schema.ts'
import { deleteTasks, updateTasks } from '#src/features/tasks/bulk-change-schema.ts'
import * as tasks from '#src/features/tasks/endpoint-schema.ts'
import * as theses from '#src/features/theses/schema.ts'
import * as timeline from '#src/features/timeline/schema.ts'
import * as trash from '#src/features/trash/schema.ts'
import { undoAction } from '#src/features/undo/schema.ts'
import * as users from '#src/features/users/schema.ts'
import * as views from '#src/features/views/endpoint-schema.ts'

/** All operations of the API by their operationId. Signing in is left out: it needs a browser. */
export const operations = {
  listCompanies: companies.listCompanies,
  queryCompanies,
  getCompanyFacets,
  getCompany,
  createCompany: companies.createCompany,
  updateCompany: companies.updateCompany,
  updateCompanies,
  importCompanies,
  listImports: imports.listImports,
  getImport: imports.getImport,
  exportCompanies,
  listTags: tags.listTags,
  renameTag: tags.renameTag,
  removeTag: tags.removeTag,
  searchCompanies: search.searchCompanies,
  findRecords: quickSearch.findRecords,
  listSimilarCompanies: search.listSimilarCompanies,
  getSearchStatus: search.getSearchStatus,
  listTheses: theses.listTheses,
  getThesis: theses.getThesis,
  createThesis: theses.createThesis,
  updateThesis: theses.updateThesis,
  listDeals: deals.listDeals,
  exportDeals,
  getDealStages: stages.getDealStages,
  getStageConfig: stages.getStageConfig,
  putStageConfig: stages.putStageConfig,
  getDeal: deals.getDeal,
  createDeal: deals.createDeal,
  updateDeal: deals.updateDeal,
  updateDeals,
  listPeople: people.listPeople,
  exportPeople: exportPeople,
  importPeople,
  importNotes,
  importDeals,
  getPerson: people.getPerson,
  createPerson: duplicatePeople.createPerson,
  listDuplicatePeople: duplicatePeople.listDuplicatePeople,
  updatePerson: people.updatePerson,
  deletePerson: people.deletePerson,
  getPersonHistory: people.getPersonHistory,
  listCompanyPeople: companyPeople.listCompanyPeople,
  linkPerson: companyPeople.linkPerson,
  unlinkPerson: companyPeople.unlinkPerson,
  getPersonalData: contacts.getPersonalData,
  eraseContact: contacts.eraseContact,
  listDueContacts: contacts.listDueContacts,
  createPeopleFromExecutives: companyPeople.createPeopleFromExecutives,
  createPeopleOfCompanies: companyPeople.createPeopleOfCompanies,
  listNotes: notes.listNotes,
  getNote: notes.getNote,
  createNote: notes.createNote,
  updateNote: notes.updateNote,
  deleteNote: notes.deleteNote,
  getNoteHistory: notes.getNoteHistory,
  exportNotes,
  transferNotes,
  listTasks: tasks.listTasks,
  getTask: tasks.getTask,
  createTask: tasks.createTask,
  updateTask: tasks.updateTask,
  updateTasks,
  deleteTasks,
  deleteTask: tasks.deleteTask,
  finishTask: tasks.finishTask,
  reopenTask: tasks.reopenTask,
  getTaskHistory: tasks.getTaskHistory,
  exportTasks: tasks.exportTasks,
  listDecisions: decisions.listDecisions,
  getDecision: decisions.getDecision,
  createDecision: decisions.createDecision,
  updateDecision: decisions.updateDecision,
  deleteDecision: decisions.deleteDecision,
  getDecisionHistory: decisions.getDecisionHistory,
  putVote: decisions.putVote,
  deleteVote: decisions.deleteVote,
  exportDecisions: decisions.exportDecisions,
  listNotifications: notifications.listNotifications,
  markNotificationsRead: notifications.markNotificationsRead,
  markNotificationsUnread: notifications.markNotificationsUnread,
  markNotificationsDone: notifications.markNotificationsDone,
  markNotificationsUndone: notifications.markNotificationsUndone,
  getNotificationSettings: notificationSettings.getNotificationSettings,
  updateNotificationSettings: notificationSettings.updateNotificationSettings,
  getCompanyFollow: follows.companyFollow.get,
  putCompanyFollow: follows.companyFollow.put,
  deleteCompanyFollow: follows.companyFollow.remove,
  getDealFollow: follows.dealFollow.get,
  putDealFollow: follows.dealFollow.put,
  deleteDealFollow: follows.dealFollow.remove,
  getPersonFollow: follows.personFollow.get,
  putPersonFollow: follows.personFollow.put,
  deletePersonFollow: follows.personFollow.remove,
  getThesisFollow: follows.thesisFollow.get,
  putThesisFollow: follows.thesisFollow.put,
  deleteThesisFollow: follows.thesisFollow.remove,
  getCompanyTimeline: timeline.getCompanyTimeline,
  getDealTimeline: timeline.getDealTimeline,
  getPersonTimeline: timeline.getPersonTimeline,
  getThesisTimeline: timeline.getThesisTimeline,
  getReasonConfig,
  putReasonConfig,
  listPersonRelationships: relationships.listPersonRelationships,
  listCompanyRelationships: relationships.listCompanyRelationships,
  getCompanyBrief: briefs.getCompanyBrief,
  getPersonBrief: briefs.getPersonBrief,
  getDealBrief: briefs.getDealBrief,
  createField: fields.createField,
  updateField: fields.updateField,
  deleteField: fields.deleteField,
  listFields,
  previewBulkAction: bulkActions.previewBulkAction,
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
  getLogo,
  listActivity: activity.listActivity,
  getActivity: activity.getActivity,
  getEvents: events.getEvents,
  listEvents,
  listActions: actions.listActions,
  getAction: actions.getAction,
  undoAction,
  mergeCompanies,
  mergePeople,
  getCompanyHistory,
  getDealHistory: deals.getDealHistory,
  getThesisHistory: theses.getThesisHistory,
  deleteCompany: deletion.deleteCompany,
  deleteCompanies: deletion.deleteCompanies,
  deleteDeal: deals.deleteDeal,
  deleteThesis: theses.deleteThesis,
  listThesisMatches: matches.listThesisMatches,
  getThesisCriteria: matches.getThesisCriteria,
  judgeMatch: matches.judgeMatch,
  markMatchesSeen: matches.markMatchesSeen,
  uploadFile: files.uploadFile,
  uploadFileVersion: files.uploadFileVersion,
  listFiles: files.listFiles,
  getFile: files.getFile,
  getFileHistory: files.getFileHistory,
  listFileVersions: files.listFileVersions,
  updateFile: files.updateFile,
  deleteFile: files.deleteFile,
  getFileContent: fileContent.getFileContent,
  getFileText: fileContent.getFileText,
  getFileAttachment: fileContent.getFileAttachment,
  getFileUsage: files.getFileUsage,
  scanFiles: fileScans.scanFiles,
  transferFiles,
  downloadCompanyFiles,
  downloadDealFiles,
  listTrash: trash.listTrash,
  restoreRecord: trash.restoreRecord,
  purgeRecord: trash.purgeRecord,
  listDuplicates: duplicates.listDuplicates,
  checkDuplicates: duplicates.checkDuplicates,
  dismissDuplicate: duplicates.dismissDuplicate,
  reopenDuplicate: duplicates.reopenDuplicate,
  listViews: views.listViews,
  getView: views.getView,
  createView: views.createView,
  updateView: views.updateView,
  deleteView: views.deleteView,
  orderViews: views.orderViews,
  setDefaultView: views.setDefaultView,
  listNewRecords: views.listNewRecords,
  markViewSeen: views.markViewSeen,
  listAuditEntries: audit.listAuditEntries,
  exportAuditEntries: audit.exportAuditEntries,
  getBackup,
  listBackups,
  getStats: stats.getStats,
  getWeeklyStats: stats.getWeeklyStats,
  getPipelineStats,
  getSourceStats,
  listUsers: users.listUsers,
  getUser: users.getUser,
  updateUser: users.updateUser,
  submitFeedback: feedback.submitFeedback,
  listFeedback: feedback.listFeedback,
  getFeedback: feedback.getFeedback,
  retryFeedback: feedback.retryFeedback,
  getCurrentUser: auth.getCurrentUser,
  getAuthenticationStatus: auth.getAuthenticationStatus,
  signOut: auth.signOut,
  askToUnsubscribe: mail.askToUnsubscribe,
  unsubscribe: mail.unsubscribe,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  endSessions: sessions.endSessions,
  listKeys: keys.listKeys,
  createKey: keys.createKey,
  revokeKey: keys.revokeKey,
  getCalendar: calendar.getCalendar,
  createCalendar: calendar.createCalendar,
  deleteCalendar: calendar.deleteCalendar,
  getCalendarFile: calendar.getCalendarFile,
}
