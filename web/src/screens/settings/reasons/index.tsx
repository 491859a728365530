import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { freeKey, MAX_REASONS } from '#src/client/limits.ts'
import { strings } from '#strings/decisions.ts'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { type ReasonConfig, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { FieldOptions } from '../components/field-options.tsx'
import { enteredOptions, type OptionDraft, optionDrafts } from '../components/option-drafts.ts'
import { SettingsNavigation } from '../components/settings-navigation.tsx'

/** The reasons that decisions can have. */
export function ReasonsScreen() {
  const config = useQuery(decisionQueries.reasonConfig())
  return (
    <Page title={strings.reasonsTitle} description={strings.reasonsHelp}>
      <SettingsNavigation />
      {config.isPending && <SkeletonLines lines={8} height={32} />}
      {config.isError && !config.data && <ErrorState error={config.error} retry={() => config.refetch()} />}
      {config.data && <ReasonsForm config={config.data} />}
    </Page>
  )
}

/** Reasons as options: the key is the id. */
const draftsOf = ({ reasons }: ReasonConfig): OptionDraft[] =>
  optionDrafts({ options: reasons.map(({ key, label }) => ({ id: key, label })) })

/** The reasons to send. New ones get a key from their label. */
function enteredReasons(drafts: readonly OptionDraft[]): ReasonConfig['reasons'] {
  const taken = new Set(drafts.flatMap(({ id }) => id ?? []))
  return enteredOptions(drafts).map(({ id, label }) => {
    const key = id ?? freeKey(label, taken)
    taken.add(key)
    return { key, label }
  })
}

interface Edited {
  drafts: OptionDraft[]
  /** The version that is edited. */
  from: ReasonConfig
}

function ReasonsForm({ config }: { config: ReasonConfig }) {
  const queryClient = useQueryClient()
  const mayConfigure = useCan('configure')
  const [edited, setEdited] = useState<Edited | null>(null)
  const { drafts, from } = edited ?? { drafts: draftsOf(config), from: config }
  const save = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async () => {
      const body = { reasons: enteredReasons(drafts) }
      return (await service.putReasonConfig({ body, ...ifMatch(from.updated_at) })).data
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(decisionQueries.reasonConfig().queryKey, saved)
      setEdited(null)
      notifications.show({ message: strings.saved, color: 'teal' })
    },
    onError: (error) => {
      if (isConflict(error)) queryClient.invalidateQueries(decisionQueries.reasonConfig())
    },
  })
  const reset = () => {
    setEdited(null)
    save.reset()
  }
  if (!mayConfigure)
    return (
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {strings.reasonsReadOnly}
        </Text>
        {config.reasons.map(({ key, label }) => (
          <Text key={key} size="sm" dir="auto">
            {label}
          </Text>
        ))}
      </Stack>
    )
  return (
    <Stack gap="md" maw="32rem">
      <FieldOptions
        legend={strings.reasons}
        help={strings.reasonsLimit(MAX_REASONS)}
        max={MAX_REASONS}
        options={drafts}
        onChange={(changed) => setEdited({ drafts: changed, from })}
      />
      {save.isError && (
        <Alert color="red" role="alert" title={strings.cannotSave} className="break-anywhere">
          {isConflict(save.error) ? strings.changedElsewhere : errorMessage(save.error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button onClick={() => save.mutate()} loading={save.isPending} disabled={!edited}>
          {strings.saveReasons}
        </Button>
        {edited && (
          <Button variant="subtle" onClick={reset}>
            {strings.reset}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
