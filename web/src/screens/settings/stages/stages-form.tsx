import { Alert, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { MAX_STAGES } from '#src/client/limits.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/stages.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import {
  enteredStages,
  newStage,
  type StageConfig,
  type StageDraft,
  stageDrafts,
  stageErrors,
} from './stage-drafts.ts'
import { StageRow } from './stage-row.tsx'

const COLUMNS = [
  { label: strings.label },
  { label: strings.key, width: 190 },
  { label: strings.probability, width: 160 },
  { label: strings.outcome, width: 120 },
  { label: strings.dealsHead, width: 90 },
]
const ACTIONS = { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 110 }

interface Draft {
  stages: StageDraft[]
  /** The version that was edited. */
  from: StageConfig
}

/** The stages, edited together and saved at once. */
export function StagesForm({ config }: { config: StageConfig }) {
  const queryClient = useQueryClient()
  const mayConfigure = useCan('configure')
  const counts = new Map(useQuery(queries.dealStages()).data?.map(({ stage, deals }) => [stage, deals]))
  const [edited, setEdited] = useState<Draft | null>(null)
  const current = useMemo(() => ({ stages: stageDrafts(config), from: config }), [config])
  const draft = edited ?? current
  const [isChecked, setIsChecked] = useState(false)
  const { stages } = draft
  const isChanged = !isEqual(enteredStages(stages), draft.from.stages)
  const errors = stageErrors(stages)
  const isValid = errors.every((error) => Object.keys(error).length === 0)
  const edit = (changed: StageDraft[]) => setEdited({ ...draft, stages: changed })
  /** Shows the stages as the service has them. */
  const discard = () => {
    setEdited(null)
    setIsChecked(false)
    save.reset()
  }
  const save = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (updatedAt: string) =>
      (await service.putStageConfig({ body: { stages: enteredStages(stages) }, ...ifMatch(updatedAt) })).data,
    onSuccess: (saved) => {
      queryClient.setQueryData(fieldQueries.stageConfig().queryKey, saved)
      queryClient.invalidateQueries({ queryKey: ['deals'] })
      queryClient.invalidateQueries({ queryKey: ['stats'] })
      discard()
      notifications.show({ message: strings.saved, color: 'teal' })
    },
    onError: (error) => {
      if (isConflict(error)) queryClient.invalidateQueries(fieldQueries.stageConfig())
    },
  })
  const submit = () => {
    setIsChecked(true)
    if (isValid && !save.isPending) save.mutate(draft.from.updated_at)
  }
  const add = () => edit([...stages, newStage()])
  const isFull = stages.length >= MAX_STAGES
  const group = keyboard.screen
  useActions([
    mayConfigure && { id: 'add-stage', label: strings.add, group, run: add, disabled: isFull },
    mayConfigure && isChanged && { id: 'save-stages', label: strings.save, group, run: submit },
    mayConfigure && isChanged && { id: 'reset-stages', label: strings.reset, group, run: discard },
  ])
  return (
    <Stack gap="md">
      {!mayConfigure && (
        <Text size="sm" c="dimmed">
          {strings.readOnly}
        </Text>
      )}
      <DataTable label={strings.list} minWidth={800} columns={mayConfigure ? [...COLUMNS, ACTIONS] : COLUMNS}>
        {stages.map((stage, index) => (
          <StageRow
            key={stage.row}
            stages={stages}
            index={index}
            errors={isChecked ? (errors[index] ?? {}) : {}}
            deals={counts.get(stage.key) ?? 0}
            onChange={edit}
            isEditable={mayConfigure}
          />
        ))}
      </DataTable>
      <Text size="sm" c="dimmed">
        {strings.help} {strings.limit(MAX_STAGES)}
      </Text>
      {save.isError &&
        (isConflict(save.error) ? (
          <Conflict
            takeRemote={discard}
            keepMine={() => save.mutate(config.updated_at)}
            isBusy={config === draft.from}
          />
        ) : (
          <Alert color="red" title={strings.cannotSave} role="alert" className="break-anywhere">
            {errorMessage(save.error)}
          </Alert>
        ))}
      {mayConfigure && (
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
            disabled={isFull}
          >
            {strings.add}
          </Button>
          <Button onClick={submit} loading={save.isPending} disabled={!isChanged}>
            {strings.save}
          </Button>
          {isChanged && (
            <>
              <Button variant="subtle" onClick={discard}>
                {strings.reset}
              </Button>
              <Text size="sm" c="dimmed" role="status">
                {strings.unsaved}
              </Text>
            </>
          )}
        </Group>
      )}
    </Stack>
  )
}

interface ConflictProps {
  takeRemote: () => void
  keepMine: () => void
  /** True until the remote version is loaded. */
  isBusy: boolean
}

function Conflict({ takeRemote, keepMine, isBusy }: ConflictProps) {
  return (
    <Alert
      role="alert"
      color="orange"
      variant="outline"
      title={strings.conflict}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs">
        <Text size="sm">{strings.conflictHelp}</Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={takeRemote} disabled={isBusy}>
            {strings.useTheirs}
          </Button>
          <Button size="compact-sm" variant="default" onClick={keepMine} disabled={isBusy}>
            {strings.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
