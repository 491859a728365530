export { AuditLog } from './audit-log.ts'
export { auditDenial } from './denial.ts'
export { type AuditedEvent, type AuditSource, eraseFromAudit, NO_REQUEST, recordAudit } from './store.ts'
export { type KnownEntry, verifyAuditLog } from './verify.ts'
