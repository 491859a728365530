import { Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { strings } from '#strings/keyboard.ts'
import { type Action, currentActions } from '#web/keyboard/actions.ts'
import { Keys } from '#web/keyboard/keys.tsx'
import { areSingleKeysOn, setSingleKeys } from '#web/keyboard/single-keys.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import classes from './keyboard-help.module.css'

/** Lists the keys of everything that the screen offers. */
export default function KeyboardHelp({ close }: { close: () => void }) {
  const [groups] = useState(() => Object.entries(Object.groupBy(reachable(), ({ group }) => group)))
  const [areOn, setOn] = useState(areSingleKeysOn)
  const turn = (isOn: boolean) => {
    setSingleKeys(isOn)
    setOn(isOn)
  }
  return (
    <Dialog onClose={close} title={strings.help} size="xl">
      <Stack gap="md">
        <div className={classes.groups}>
          {groups.toReversed().map(([group, actions = []]) => (
            <KeyGroup key={group} title={group} actions={actions.filter(({ keys }) => keys)} />
          ))}
        </div>
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed">
            {strings.helpHint}
          </Text>
          <Switch
            size="sm"
            label={strings.singleKeys}
            checked={areOn}
            onChange={(event) => turn(event.currentTarget.checked)}
          />
        </Group>
      </Stack>
    </Dialog>
  )
}

/** The actions on offer that no later one with the same keys replaces. */
const reachable = (): Action[] =>
  currentActions().filter(
    (action, index, all) =>
      !all.slice(index + 1).some((later) => !later.within && !later.field && isSame(later.keys, action.keys)),
  )

const isSame = (one: Action['keys'], other: Action['keys']): boolean =>
  one !== undefined && one.join() === other?.join()

function KeyGroup({ title, actions }: { title: string; actions: Action[] }) {
  if (actions.length === 0) return null
  return (
    <section className={classes.group}>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <dl className={classes.list}>
        {actions.map(({ id, label, keys = [] }) => (
          <div key={id} className={classes.row}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
