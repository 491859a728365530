import {
  ActionIcon,
  Alert,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import {
  MAX_CRITERIA,
  MAX_CRITERION_LENGTH,
  MAX_CRITERION_WEIGHT,
  MIN_CRITERION_WEIGHT,
} from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/matches.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { service, type ThesisCriterion } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'

interface CriteriaDialogProps {
  thesis: string
  close: () => void
}

/** Shows and changes the criteria that rank the matches of a thesis. */
export default function CriteriaDialog({ thesis, close }: CriteriaDialogProps) {
  const criteria = useQuery({
    ...queries.thesisCriteria(thesis),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog onClose={close} title={strings.criteria} size="xl">
      {criteria.isPending && <SkeletonLines lines={6} height={36} />}
      {criteria.isError && <ErrorState error={criteria.error} retry={() => criteria.refetch()} />}
      {criteria.data && (
        <CriteriaForm
          thesis={thesis}
          saved={criteria.data.criteria}
          isDerived={criteria.data.is_derived}
          close={close}
        />
      )}
    </Dialog>
  )
}

interface CriteriaFormProps extends CriteriaDialogProps {
  saved: ThesisCriterion[]
  isDerived: boolean
}

function CriteriaForm({ thesis, saved, isDerived, close }: CriteriaFormProps) {
  const [criteria, setCriteria] = useState(() => saved.map((criterion, key) => ({ ...criterion, key })))
  const mayWrite = useCan('write')
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  const save = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: (kept: ThesisCriterion[] | null) =>
      service.updateThesis({ params: { id: thesis }, body: { criteria: kept } }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(queries.thesis(thesis).queryKey, data)
      for (const queryKey of [['theses', 'matches', thesis], ['activity']])
        queryClient.invalidateQueries({ queryKey })
      notifications.show({ message: strings.saved })
      if (isShown()) close()
    },
  })
  const change = (key: number, changed: Partial<ThesisCriterion>) =>
    setCriteria(criteria.map((one) => (one.key === key ? { ...one, ...changed } : one)))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save.mutate(
      criteria.filter(({ text }) => text.trim() !== '').map(({ key: _key, ...criterion }) => criterion),
    )
  }
  const add = () =>
    setCriteria([
      ...criteria,
      {
        text: '',
        weight: 1,
        kind: 'nice',
        negative: false,
        key: Math.max(-1, ...criteria.map(({ key }) => key)) + 1,
      },
    ])
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {isDerived ? strings.derived : strings.entered}
        </Text>
        {criteria.map(({ key, ...criterion }, n) => (
          <CriterionRow
            key={key}
            position={n + 1}
            criterion={criterion}
            isReadOnly={!mayWrite}
            change={(changed) => change(key, changed)}
            remove={() => setCriteria(criteria.filter((one) => one.key !== key))}
          />
        ))}
        {save.isError && (
          <Alert color="red" role="alert" title={general.notSaved}>
            {errorMessage(save.error)}
          </Alert>
        )}
        {mayWrite && (
          <Group justify="space-between" gap="xs">
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={criteria.length >= MAX_CRITERIA}
              onClick={add}
            >
              {strings.add}
            </Button>
            <Group gap="xs">
              {!isDerived && (
                <Button variant="default" onClick={() => save.mutate(null)}>
                  {strings.fromReport}
                </Button>
              )}
              <Button type="submit" loading={save.isPending}>
                {strings.save}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </form>
  )
}

type Kind = keyof typeof strings.kinds

interface CriterionRowProps {
  position: number
  criterion: ThesisCriterion
  isReadOnly: boolean
  change: (changed: Partial<ThesisCriterion>) => void
  remove: () => void
}

function CriterionRow({ position, criterion, isReadOnly, change, remove }: CriterionRowProps) {
  const { text, weight, kind, negative } = criterion
  return (
    <Group gap="xs">
      <TextInput
        aria-label={strings.criterion(position)}
        maxLength={MAX_CRITERION_LENGTH}
        value={text}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        dir="auto"
        style={{ flex: '10 1 14rem', minWidth: 0 }}
      />
      <NativeSelect
        aria-label={strings.kind(position)}
        data={Object.entries(strings.kinds).map(([value, label]) => ({ value, label }))}
        value={negative ? `${kind} negative` : kind}
        disabled={isReadOnly}
        style={{ flex: '1 1 8rem', minWidth: 0 }}
        onChange={({ currentTarget }) => {
          const value = currentTarget.value as Kind
          change({ kind: value.startsWith('must') ? 'must' : 'nice', negative: value.endsWith('negative') })
        }}
      />
      <NumberInput
        aria-label={strings.weight(position)}
        w={80}
        min={MIN_CRITERION_WEIGHT}
        max={MAX_CRITERION_WEIGHT}
        step={0.5}
        value={weight}
        readOnly={isReadOnly}
        onChange={(value) => typeof value === 'number' && change({ weight: value })}
      />
      {!isReadOnly && (
        <ActionIcon variant="subtle" color="gray" aria-label={strings.remove(position)} onClick={remove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}
