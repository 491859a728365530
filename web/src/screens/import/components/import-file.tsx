import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { strings } from '#strings/import.ts'
import { strings as held } from '#strings/import-holds.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { ChosenFile } from '../chosen-file.ts'
import { countOpenQuestions } from '../decisions.ts'
import { type Check, useDryRun } from '../hooks/use-dry-run.ts'
import { useImport } from '../hooks/use-import.ts'
import { assignColumn, assignedColumns, type Choice, createField, createFields } from '../mapping.ts'
import {
  formFields,
  type ImportSettings,
  INITIAL_SETTINGS,
  withChoice,
  withFormat,
  withHolds,
  withReading,
} from '../settings.ts'
import { HoldsCard } from './holds-card.tsx'
import { ImportBar } from './import-bar.tsx'
import { CheckError, ImportDetached, ImportFailure, isAnswerLost } from './import-failure.tsx'
import { CheckingFile, ImportProgress } from './import-progress.tsx'
import { ImportResult } from './import-result.tsx'
import { entityOf, useFieldWords } from './report/field-words.ts'
import type { HeldType } from './report/report.ts'
import { ReportPanels } from './report/report-panels.tsx'
import type { ReportTab } from './report/report-tabs.ts'
import { ColumnsStep } from './steps/columns-step.tsx'
import { FileCard } from './steps/file-card.tsx'
import { FormatsStep } from './steps/formats-step.tsx'
import { openColumns } from './steps/open-formats.ts'
import { StagesStep } from './steps/stages-step.tsx'

interface ImportFileProps {
  /** What the file holds; undefined: the file tells. */
  holds?: HeldType | undefined
  chosen: ChosenFile
  reset: () => void
}

/** The import of one file, from its columns to the result. */
export function ImportFile({ chosen: { file, key }, holds, reset }: ImportFileProps) {
  const [settings, setSettings] = useState({ ...INITIAL_SETTINGS, ...(holds && { holds }) })
  const { check, error, again, share, isChecking } = useDryRun(file, key, settings)
  const { importing, share: uploaded, stop, isStopped, hasArrived } = useImport(file)
  const report = check?.report ?? null
  useDetected(holds === undefined ? check : undefined, setSettings)
  const [tab, chooseTab] = useState<ReportTab | null>(null)

  if (importing.isSuccess)
    return <ImportResult report={importing.data} fileName={file.name} another={reset} />
  if (importing.isError && hasArrived && isAnswerLost(importing.error))
    return <ImportDetached another={reset} />
  return (
    <Stack gap="lg">
      <FileCard
        file={file}
        reset={reset}
        isLocked={importing.isPending}
        read={check?.file}
        reading={settings.reading}
        change={(reading) => setSettings(withReading(settings, reading))}
      />
      {importing.isPending ? (
        <ImportProgress file={file} uploaded={uploaded} stop={stop} />
      ) : (
        <>
          {importing.isError && <ImportFailure error={importing.error} isStopped={isStopped} />}
          {error !== null && !isChecking && (
            <CheckError error={error} isRead={check !== undefined} again={again} />
          )}
          {check && (
            <HoldsCard
              file={check.file}
              companies={check.report?.companies}
              settings={settings}
              change={setSettings}
            />
          )}
          {check && check.holds === settings.holds && (
            <Steps check={check} settings={settings} setSettings={setSettings} />
          )}
          {!check && isChecking && <CheckingFile size={file.size} share={share} />}
          {report && (
            <ReportPanels
              title={strings.outcome}
              report={report}
              fileName={file.name}
              editing={{ settings, change: setSettings, isChecking }}
              tab={tab}
              chooseTab={chooseTab}
            />
          )}
          {(check || isChecking) && (
            <ImportBar
              report={report}
              isChecking={isChecking}
              hasFailed={error !== null}
              share={share}
              openColumns={openColumns(report)}
              openQuestions={report ? countOpenQuestions(report, settings.decisions) : 0}
              showTab={chooseTab}
              start={() => importing.mutate(settings)}
              isAgain={importing.isError}
            />
          )}
        </>
      )}
      <LeaveDialog isNeeded={importing.isPending && uploaded < 1} />
    </Stack>
  )
}

/** Reads the file as what it holds, unless the user has chosen something else. */
function useDetected(
  check: Check | undefined,
  setSettings: (change: (settings: ImportSettings) => ImportSettings) => void,
): void {
  const isDone = useRef(false)
  const detected = check?.file.holds.type
  useEffect(() => {
    if (detected === undefined || isDone.current) return
    isDone.current = true
    setSettings((before) => (before.holds === detected ? before : withHolds(before, detected)))
  }, [detected, setSettings])
}

interface StepsProps {
  check: Check
  settings: ImportSettings
  setSettings: (change: (settings: ImportSettings) => ImportSettings) => void
}

/** The columns of the file, and how their values are written. */
function Steps({ check: { fields, file, report }, settings, setSettings }: StepsProps) {
  const { holds } = settings
  const entity = entityOf(holds)
  const found = useQuery(fieldQueries.customFields(entity)).data ?? []
  const customFields = holds === 'note' ? [] : found
  const taken = new Set((useQuery(fieldQueries.fields(entity)).data ?? []).map(({ key }) => key))
  const newFields = report?.new_fields ?? []
  const words = useFieldWords(newFields, holds)
  const isConfirmed = fields.mapping === formFields(settings).mapping
  const choice: Choice = {
    mapping: settings.choice.mapping,
    assigned: isConfirmed ? assignedColumns(file, report) : settings.choice.assigned,
  }
  const texts = [...customFields, ...newFields].filter(({ type }) => type === 'text')
  const identifying =
    holds === 'company'
      ? texts.map(({ key }) => `custom.${key}`).filter((field) => choice.assigned[field])
      : []
  const setChoice = (changed: Choice) => setSettings((before) => withChoice(before, changed))
  return (
    <>
      <ColumnsStep
        columns={file.columns}
        choices={{
          ...choice,
          fields: strings.fieldsOf[holds],
          hasCustomFields: holds !== 'note',
          customFields: customFields.filter(({ archived }) => !archived),
          newFields,
          assign: (column, field, isFurther) => setChoice(assignColumn(choice, column, field, isFurther)),
          create: (column, changes) => setChoice(createField(choice, column, taken, changes)),
        }}
        createAll={(columns) => setChoice(createFields(choice, columns, taken))}
        identifying={identifying}
        identifyBy={settings.identifyBy}
        identify={(identifyBy) => setSettings((before) => ({ ...before, identifyBy }))}
        words={words}
        nameRequired={held.required[holds]}
        isNameMissing={report === null}
        otherSheets={file.sheets.filter((sheet) => sheet !== file.sheet)}
        chooseSheet={(sheet) => setSettings((before) => withReading(before, { sheet }))}
      />
      {report && <StagesStep report={report} settings={settings} change={setSettings} />}
      {report && (
        <FormatsStep
          report={report}
          choices={settings.formats}
          change={(column, format) => setSettings((before) => withFormat(before, column, format))}
          words={words}
        />
      )}
    </>
  )
}

/** Asks before the user leaves or closes the page while a file is being uploaded. */
function LeaveDialog({ isNeeded }: { isNeeded: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isNeeded,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={strings.leaveTitle} centered>
      <Stack>
        <Text size="sm">{strings.leaveHelp}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            {strings.stay}
          </Button>
          <Button color="red.9" onClick={() => proceed?.()}>
            {strings.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
