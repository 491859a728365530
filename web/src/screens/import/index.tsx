import { useState } from 'react'
import { strings } from '#strings/import.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { NotPermitted } from '#web/ui/not-permitted.tsx'
import { Page } from '#web/ui/page.tsx'
import type { ChosenFile } from './chosen-file.ts'
import { FileStep } from './components/file-step.tsx'
import { ImportFile } from './components/import-file.tsx'
import { PastImports } from './components/past-imports.tsx'

/** Imports companies from a file: choose it, match its columns, preview the result, and import. */
export function ImportScreen() {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const mayImport = useCan('import')
  return (
    <Page
      title={strings.title}
      description={strings.description}
      actions={
        <ScreenButton to="/companies" variant="default">
          {strings.allCompanies}
        </ScreenButton>
      }
    >
      {!mayImport ? (
        <NotPermitted>{strings.notPermitted}</NotPermitted>
      ) : chosen ? (
        <ImportFile key={chosen.key} chosen={chosen} reset={() => setChosen(null)} />
      ) : (
        <FileStep choose={(file) => setChosen({ file, key: Date.now() })} />
      )}
      {!chosen && <PastImports />}
    </Page>
  )
}
