import { useState } from 'react'
import { strings } from '#strings/import.ts'
import { strings as held } from '#strings/import-holds.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { NotPermitted } from '#web/ui/not-permitted.tsx'
import { Page } from '#web/ui/page.tsx'
import type { ChosenFile } from './chosen-file.ts'
import { FileStep } from './components/file-step.tsx'
import { ImportFile } from './components/import-file.tsx'
import { PastImports } from './components/past-imports.tsx'
import type { HeldType } from './components/report/report.ts'

/** Imports companies, or what else a file holds. */
export const ImportScreen = () => <Import />

/** Imports deals. */
export const ImportDealsScreen = () => <Import holds="deal" />

/** Imports people. */
export const ImportPeopleScreen = () => <Import holds="person" />

const COMPANIES = { to: '/companies', label: strings.allCompanies } as const

/** The screen with the records that are imported. */
const BACK = {
  company: COMPANIES,
  person: { to: '/people', label: held.allPeople },
  note: COMPANIES,
  deal: { to: '/pipeline', label: held.pipeline },
} as const

/**
 * Imports a file: choose it, match its columns, preview the result, and import.
 * @param holds what the file holds; undefined: companies, unless the file tells otherwise
 */
function Import({ holds }: { holds?: HeldType }) {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const mayImport = useCan('import')
  const { to, label } = BACK[holds ?? 'company']
  return (
    <Page
      title={held.titles[holds ?? 'company']}
      description={held.descriptions[holds ?? 'company']}
      actions={
        <ScreenButton to={to} variant="default">
          {label}
        </ScreenButton>
      }
    >
      {!mayImport ? (
        <NotPermitted>{strings.notPermitted}</NotPermitted>
      ) : chosen ? (
        <ImportFile key={chosen.key} chosen={chosen} holds={holds} reset={() => setChosen(null)} />
      ) : (
        <FileStep choose={(file) => setChosen({ file, key: Date.now() })} />
      )}
      {!chosen && <PastImports />}
    </Page>
  )
}
