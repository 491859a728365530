import { Alert, NativeSelect, Radio, Table, Text } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useId } from 'react'
import { MAIL_TIMES, type NOTIFICATION_KINDS } from '#src/client/limits.ts'
import { strings } from '#strings/inbox.ts'
import type { NotificationSettings } from '#web/api/service.ts'
import { formatHour } from '#web/format/days.ts'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { usePreferences } from '#web/ui/use-preferences.ts'
import { Setting, SettingGroup } from '../components/setting.tsx'
import classes from './mail-settings.module.css'
import { useNotificationSettings } from './use-notification-settings.ts'

/** In the order of the table: what concerns the user alone first. */
const KINDS = Object.keys(strings.kinds) as (typeof NOTIFICATION_KINDS)[number][]
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour) }))

/** Which kinds of notifications are mailed, and when. */
export function MailSettings() {
  const { settings, change } = useNotificationSettings()
  const isOff = usePreferences().preferences?.notifications_enabled === false
  const { data } = settings
  const notice = data && !data.mail_available ? strings.noMail : isOff ? strings.mailOff : null
  return (
    <SettingGroup title={strings.mail}>
      {settings.isPending && <SkeletonLines lines={12} height={20} />}
      {settings.isError && !data && <ErrorState error={settings.error} retry={() => settings.refetch()} />}
      {notice !== null && (
        <Alert color="gray" variant="light" icon={<IconMailOff size={18} aria-hidden />} role="status">
          {notice}
        </Alert>
      )}
      {data && (
        <>
          <MailTable mail={data.mail} change={(mail) => change({ mail })} />
          <DigestHour hour={data.digest_hour} change={(digest_hour) => change({ digest_hour })} />
        </>
      )}
    </SettingGroup>
  )
}

interface MailTableProps {
  mail: NotificationSettings['mail']
  change: (mail: Partial<NotificationSettings['mail']>) => void
}

function MailTable({ mail, change }: MailTableProps) {
  return (
    <Table className={classes.table} aria-label={strings.mail} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{strings.event}</Table.Th>
          {MAIL_TIMES.map((time) => (
            <Table.Th key={time} className={classes.time}>
              {strings.times[time]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {KINDS.map((kind) => (
          <Table.Tr key={kind}>
            <Table.Th scope="row" fw={400}>
              <Text size="sm">{strings.kinds[kind]}</Text>
            </Table.Th>
            {MAIL_TIMES.map((time) => (
              <Table.Td key={time} className={classes.time}>
                <label htmlFor={`${kind} ${time}`} className={classes.choice}>
                  <Radio
                    size="sm"
                    id={`${kind} ${time}`}
                    name={kind}
                    value={time}
                    aria-label={strings.kindAt(strings.kinds[kind], strings.times[time])}
                    checked={mail[kind] === time}
                    onChange={() => change({ [kind]: time })}
                  />
                </label>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function DigestHour({ hour, change }: { hour: number; change: (hour: number) => void }) {
  const id = useId()
  return (
    <Setting label={strings.hour} description={strings.hourHelp} labelFor={id}>
      {(ids) => (
        <NativeSelect
          id={id}
          aria-describedby={ids.description}
          w="8rem"
          value={String(hour)}
          onChange={({ currentTarget: { value } }) => change(Number(value))}
          data={HOURS}
        />
      )}
    </Setting>
  )
}
