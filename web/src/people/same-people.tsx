import { Alert, List, Text } from '@mantine/core'
import type { Client } from '#src/client/client.ts'
import { strings } from '#strings/people.ts'
import { ScreenLink } from '#web/ui/link.tsx'

export type CreatedPerson = Awaited<ReturnType<Client['createPerson']>>['data']

/** Other people who have an email address of a new person. */
export function SamePeople({ created, close }: { created: CreatedPerson; close: () => void }) {
  return (
    <Alert color="yellow" role="alert" title={strings.createdTitle(created.name)}>
      <Text size="sm">{strings.sameEmail}</Text>
      <List size="sm" mt="xs" spacing={4}>
        {created.possible_duplicates.map(({ person: { id, name, headline, emails } }) => (
          <List.Item key={id}>
            <ScreenLink
              to="/people/$id"
              params={{ id }}
              size="sm"
              c="inherit"
              underline="always"
              dir="auto"
              onClick={close}
            >
              {name}
            </ScreenLink>
            {[headline, emails[0]].filter(Boolean).map((text) => (
              <Text key={text} span size="sm" dir="auto">
                {' · '}
                {text}
              </Text>
            ))}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
