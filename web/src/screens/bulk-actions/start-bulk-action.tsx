import { Alert, Button, Group, NumberInput, Select, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useMemo, useState } from 'react'
import { strings } from '#strings/bulk-actions.ts'
import { strings as general } from '#strings/general.ts'
import { useConnection } from '#web/service/connection.ts'
import { queries } from '#web/service/queries.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LOCAL_NUMBERS } from '#web/words/format.ts'
import { type ActionType, ActionTypeField } from './action-type-field.tsx'
import { useNow } from './duration.ts'
import { PriorityField } from './priority-field.tsx'
import classes from './start-bulk-action.module.css'
import { StartDelayed, StartError } from './start-error.tsx'
import { useStartBulkAction } from './use-start-bulk-action.tsx'

/** How many companies the service takes at once (src/features/bulk-actions/schema.ts). */
const MAX_COMPANIES = 10_000

interface StartBulkActionProps {
  companyIds: string[]
  close: () => void
  initialType?: ActionType
}

/** Asks what is to be done with the companies, how urgently and how thoroughly, and starts it. */
export default function StartBulkAction({
  companyIds,
  close,
  initialType = 'llm_score',
}: StartBulkActionProps) {
  const ids = useMemo(() => [...new Set(companyIds)], [companyIds])
  const [type, setType] = useState<ActionType>(initialType)
  const [priority, setPriority] = useState(50)
  const [thesis, setThesis] = useState<string | null>(null)
  const [force, setForce] = useState(false)
  const [tokenBudget, setTokenBudget] = useState<number | ''>('')
  const start = useStartBulkAction(close)
  const { retryAt } = useConnection()
  // Looks every second whether the wait is over.
  useNow(start.isPending)
  // What has been sent may have started already; what the service has told to wait has not.
  const mayClose = !start.isPending || Date.now() < retryAt
  const usesModel = type !== 'generate_embeddings'
  const isPossible = ids.length > 0 && ids.length <= MAX_COMPANIES

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPossible || start.isPending) return
    start.mutate({
      action_type: type,
      company_ids: ids,
      priority_override: priority,
      force,
      ...(type === 'llm_score' && thesis && { thesis_id: thesis }),
      ...(usesModel && tokenBudget && { token_budget: tokenBudget }),
    })
  }

  return (
    <Dialog
      onClose={() => mayClose && close()}
      withCloseButton={mayClose}
      title={
        <Text fw={650} size="lg">
          {strings.startTitle(ids.length)}
        </Text>
      }
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <ActionTypeField value={type} change={setType} />
          <PriorityField value={priority} change={setPriority} />
          {type === 'llm_score' && <ThesisField value={thesis} change={setThesis} />}
          {usesModel && (
            <NumberInput
              label={strings.tokenBudget}
              description={strings.tokenBudgetExplained}
              placeholder={strings.noTokenBudget}
              value={tokenBudget}
              onChange={(value) => setTokenBudget(typeof value === 'number' ? value : '')}
              min={1}
              max={1e12}
              step={100_000}
              allowDecimal={false}
              allowNegative={false}
              {...LOCAL_NUMBERS}
            />
          )}
          <Switch
            label={strings.force}
            description={strings.forceExplained}
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          {/* What went wrong stays in sight however small the window is. */}
          <Stack gap="sm" className={classes.footer}>
            {!isPossible && (
              <Alert color="orange" role="alert">
                {ids.length === 0 ? strings.noCompanies : strings.tooManyCompanies(MAX_COMPANIES)}
              </Alert>
            )}
            {start.isError && <StartError error={start.error} />}
            {start.isPending && <StartDelayed />}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close} disabled={!mayClose}>
                {general.cancel}
              </Button>
              <Button type="submit" loading={start.isPending} disabled={!isPossible}>
                {strings.start(ids.length)}
              </Button>
            </Group>
          </Stack>
        </Stack>
      </form>
    </Dialog>
  )
}

interface ThesisFieldProps {
  value: string | null
  change: (id: string | null) => void
}

function ThesisField({ value, change }: ThesisFieldProps) {
  const theses = useQuery(queries.theses())
  const choices = theses.data?.data.map(({ id, code, title }) => ({ value: id, label: `${code} · ${title}` }))
  return (
    <Select
      label={strings.thesis}
      description={strings.thesisExplained}
      placeholder={strings.noThesis}
      data={choices ?? []}
      value={value}
      onChange={change}
      disabled={theses.isPending}
      error={theses.isError ? strings.thesesUnknown : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': strings.clearThesis }}
      nothingFoundMessage={strings.noSuchThesis}
    />
  )
}
