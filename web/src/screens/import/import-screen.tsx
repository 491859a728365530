import { useState } from 'react'
import { strings } from '#strings/import.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { FileStep } from './file-step.tsx'
import { ImportFile } from './import-file.tsx'
import type { Preview } from './read-preview.ts'

export interface ChosenFile {
  file: File
  preview: Preview
  /** Tells it from the file before it, which may have the same name. */
  key: number
}

/** Imports companies from a file: choose it, say what its columns are, see what will happen, and do it. */
export function ImportScreen() {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
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
      {chosen ? (
        <ImportFile key={chosen.key} chosen={chosen} forget={() => setChosen(null)} />
      ) : (
        <FileStep choose={(file, preview) => setChosen({ file, preview, key: Date.now() })} />
      )}
    </Page>
  )
}
