export { type FileAnswer, fileResponse } from './response.ts'
