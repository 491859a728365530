import { Alert, Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { BUILTIN_MODEL } from '#src/client/client.ts'
import { DependencyUnavailable, TooManyRequests } from '#src/client/errors.ts'
import { strings } from '#strings/bulk-actions.ts'
import { strings as general } from '#strings/general.ts'
import { useConnection } from '#web/api/connection.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { localNumbers } from '#web/format/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'
import { useNow } from '../duration.ts'
import { bulkActionTarget, countOf, expecting, type Target } from '../target.ts'
import { type ActionType, ActionTypeField } from './action-type-field.tsx'
import { EnteredScores, type Existing } from './entered-scores.tsx'
import { PriorityField } from './priority-field.tsx'
import classes from './start-bulk-action.module.css'
import { useStartBulkAction } from './use-start-bulk-action.tsx'

/** The limit of the service (src/features/bulk-actions/schema.ts). */
const MAX_COMPANIES = 10_000

interface StartBulkActionProps {
  companies: Target
  close: () => void
  initialType?: ActionType
  /** The thesis that companies without one are scored against. */
  initialThesis?: string
}

/** The dialog that starts a bulk action: what to run, how urgently, and with which options. */
export default function StartBulkAction({
  companies,
  close,
  initialType = 'llm_score',
  initialThesis,
}: StartBulkActionProps) {
  const [target, setTarget] = useState(companies)
  const count = countOf(target)
  const [type, setType] = useState<ActionType>(initialType)
  const [priority, setPriority] = useState(50)
  const [thesis, setThesis] = useState<string | null>(initialThesis ?? null)
  const [existing, setExisting] = useState<Existing>('keep')
  const [force, setForce] = useState(false)
  const [tokenBudget, setTokenBudget] = useState<number | ''>('')
  const start = useStartBulkAction(close)
  const { retryAt } = useConnection()
  // Renders every second, to notice the end of the wait.
  useNow(start.isPending)
  // A request that was sent may have started already. One that is waiting for the rate limit has not.
  const canClose = !start.isPending || Date.now() < retryAt
  const usesModel = type !== 'generate_embeddings'
  const isAllowed = count > 0 && count <= MAX_COMPANIES

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isAllowed || start.isPending) return
    const options = {
      action_type: type,
      priority_override: priority,
      force,
      ...(type === 'llm_score' && { existing, ...(thesis && { thesis_id: thesis }) }),
      ...(usesModel && tokenBudget && { token_budget: tokenBudget }),
    }
    start.mutate(
      { target, body: { ...options, ...bulkActionTarget(target) } },
      { onError: (error) => setTarget(expecting(target, error)) },
    )
  }

  return (
    <Dialog
      onClose={() => canClose && close()}
      withCloseButton={canClose}
      title={
        <Text fw={650} size="lg">
          {strings.startTitle(count)}
        </Text>
      }
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <ActionTypeField value={type} change={setType} />
          <StartReadiness type={type} />
          <PriorityField value={priority} change={setPriority} />
          {type === 'llm_score' && <ThesisField value={thesis} change={setThesis} />}
          {type === 'llm_score' && isAllowed && (
            <EnteredScores target={target} value={existing} change={setExisting} />
          )}
          {usesModel && (
            <NumberInput
              label={strings.tokenBudget}
              description={strings.tokenBudgetHelp}
              placeholder={strings.noTokenBudget}
              value={tokenBudget}
              onChange={(value) => setTokenBudget(typeof value === 'number' ? value : '')}
              min={1}
              max={1e12}
              step={100_000}
              allowDecimal={false}
              allowNegative={false}
              {...localNumbers()}
            />
          )}
          <Switch
            label={strings.force}
            description={strings.forceHelp}
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          {/* Errors stay visible on small screens. */}
          <Stack gap="sm" className={classes.footer}>
            {!isAllowed && (
              <Alert color="orange" role="alert">
                {count === 0 ? strings.noCompanies : strings.tooManyCompanies(MAX_COMPANIES)}
              </Alert>
            )}
            {start.isError && <StartError error={start.error} />}
            {start.isPending && <StartDelayed />}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close} disabled={!canClose}>
                {general.cancel}
              </Button>
              <Button type="submit" loading={start.isPending} disabled={!isAllowed}>
                {strings.start(count)}
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
    <SearchableSelect
      label={strings.thesis}
      description={strings.thesisHelp}
      placeholder={strings.noThesis}
      options={choices ?? []}
      value={value}
      onChange={change}
      disabled={theses.isPending}
      error={theses.isError ? strings.thesesNotLoaded : undefined}
      clearable
      clearButtonProps={{ 'aria-label': strings.clearThesis }}
    />
  )
}

function StartError({ error }: { error: unknown }) {
  const title = error instanceof DependencyUnavailable ? strings.unavailable : strings.notStarted
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      {error instanceof TooManyRequests ? strings.rateLimited : errorMessage(error)}
    </Alert>
  )
}

/** Counts down while a new bulk action waits for the rate limit. */
function StartDelayed() {
  const { retryAt } = useConnection()
  const seconds = useSecondsUntil(retryAt)
  if (seconds === 0) return null
  return (
    <Alert color="orange" icon={<IconHourglass aria-hidden />} role="status">
      {strings.startsIn(seconds)}
    </Alert>
  )
}

const readiness = queryOptions({
  queryKey: ['bulk-action-readiness'],
  queryFn: async ({ signal }) => (await service.getBulkActionReadiness({}, { signal })).data,
})

/** Says, before an action starts, that it will have to wait and why, or that rules replace a language model. */
function StartReadiness({ type }: { type: ActionType }) {
  const { data } = useQuery(readiness)
  const { model, waiting_for } = data?.[type] ?? {}
  if (waiting_for)
    return (
      <Alert
        color="orange"
        icon={<IconHourglass aria-hidden />}
        title={strings.willWait}
        role="status"
        className="break-anywhere"
      >
        <span dir="auto">{waiting_for}</span>
      </Alert>
    )
  if (model !== BUILTIN_MODEL) return null
  return (
    <Text size="sm" c="dimmed" role="status">
      {strings.byRules}
    </Text>
  )
}
