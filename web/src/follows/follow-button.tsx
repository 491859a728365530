import { ActionIcon, Group, Popover, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/inbox.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import type { FollowedType } from '#web/api/notification-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { Follow } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { formatNumber } from '#web/format/format.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { AnchoredPopover, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { useFollow } from './use-follow.ts'

interface FollowButtonProps {
  type: FollowedType
  id: string
}

const SIZE = 32

/** Follows a record, also with the key `f`, and shows who does. */
export function FollowButton({ type, id }: FollowButtonProps) {
  const { follow, toggle, me } = useFollow(type, id)
  const isFollowing = follow?.following ?? false
  const label = isFollowing ? strings.unfollow : strings.follow
  useActions([
    {
      ...{ id: 'follow', label, group: keyboard.screen, keys: ['f'] },
      ...{ run: toggle, disabled: !follow },
    },
  ])
  const followers = follow?.followers ?? []
  const Icon = isFollowing ? IconBellFilled : IconBell
  return (
    <ActionIcon.Group>
      <ActionIcon
        variant="default"
        size={SIZE}
        aria-label={strings.follow}
        aria-pressed={isFollowing}
        aria-keyshortcuts="f"
        title={`${follow ? reasonOf(follow) : strings.follow} ${isFollowing ? `${strings.unfollow} (f)` : `${strings.follow} (f)`}`}
        onClick={toggle}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
      <FollowersButton type={type} follow={follow} me={me}>
        <ActionIcon
          variant="default"
          size={SIZE}
          disabled={!follow}
          aria-label={strings.followers(followers.length)}
          title={strings.followers(followers.length)}
        >
          <Text span size="sm" fz="sm">
            {follow ? formatNumber(followers.length) : '\u00a0'}
          </Text>
        </ActionIcon>
      </FollowersButton>
    </ActionIcon.Group>
  )
}

const reasonOf = ({ reason }: Follow): string =>
  reason === null ? strings.notFollowing : strings.reasons[reason]

interface FollowersProps {
  type: FollowedType
  follow: Follow | undefined
  me: string | undefined
}

function Followers({ type, follow, me, ...popover }: FollowersProps & OverlayProps) {
  const { data: users } = useQuery(queries.allUsers())
  const followers = follow?.followers ?? []
  return (
    <AnchoredPopover
      {...popover}
      position="bottom-end"
      width={260}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Dropdown p="sm" aria-label={strings.followers(followers.length)}>
        <Stack gap="xs" tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          <Title order={2} size="h6">
            {strings.followers(followers.length)}
          </Title>
          {followers.length > 0 && (
            <Stack
              component="ul"
              gap={6}
              m={0}
              p={0}
              mah="40vh"
              style={{ listStyle: 'none', overflowY: 'auto' }}
            >
              {followers.map((email) => {
                const name = personName(email, users)
                return (
                  <Group key={email} component="li" gap="xs" wrap="nowrap" title={email}>
                    <Monogram name={name} size={22} isPerson />
                    <Text size="sm" truncate dir="auto">
                      {email === me ? strings.you(name) : name}
                    </Text>
                  </Group>
                )
              })}
            </Stack>
          )}
          <Text size="xs" c="dimmed">
            {follow && reasonOf(follow)} {strings.followHelp[type]}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </AnchoredPopover>
  )
}

const FollowersButton = overlayButton('dialog', Followers)
