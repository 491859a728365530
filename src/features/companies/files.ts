import { idPattern } from '#src/platform/ids.ts'

const COMPANY_ID = new RegExp(idPattern('cmp'))

/** Whether the text has the form of a company's id. The company may not exist. */
export const isCompanyId = (text: string): boolean => COMPANY_ID.test(text)

function companyKey(companyId: string, file: string): string {
  if (!isCompanyId(companyId)) throw new Error(`${companyId} is not a company id.`)
  return `companies/${companyId}/${file}`
}

/** The keys of a company's files in object storage. */
export const profileKey = (companyId: string): string => companyKey(companyId, 'profile.json')
export const sourceKey = (companyId: string): string => companyKey(companyId, 'source.csv')
