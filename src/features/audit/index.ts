export { AuditLog, auditDenial } from './audit-log.ts'
export { type AuditedEvent, type AuditSource, eraseFromAudit, NO_REQUEST, recordAudit } from './store.ts'
export { type KnownEntry, verifyAuditLog } from './verify.ts'
