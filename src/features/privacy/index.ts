export { eraseUser } from './erase.ts'
export { exportUser } from './export.ts'
export { readmitUser } from './lock-out.ts'
