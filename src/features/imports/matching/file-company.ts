import type { Evidence } from './evidence.ts'

/** A company of the file: rows with the same name whose evidence does not contradict. */
export interface FileCompany {
  /** As its first row writes it. */
  name: string
  /** Of what its rows store together. */
  evidence: Evidence
  /** In an export of this service, the company's id. */
  id: string | undefined
  /** The value of the field that identifies companies. */
  key: string | undefined
  /** The row number of its first row. */
  firstRow: number
  /** The row number of the last row that says a part of the evidence; the last one counts. */
  saidAt: Record<'site' | 'country' | 'city', number>
  /** The number of its rows. */
  rows: number
  /** Whether several companies of the file may be this one. */
  isAmbiguous: boolean
  /** The company that it turned out to be. */
  partOf: FileCompany | undefined
}

/** Whether a row says which company it is, so that its name and website do not matter. */
export const isIdentified = ({ id, key }: FileCompany): boolean => id !== undefined || key !== undefined

/** The company that a part has become part of. */
export function wholeOf(company: FileCompany): FileCompany {
  let whole = company
  while (whole.partOf) whole = whole.partOf
  return whole
}
