import { Badge, Text } from '@mantine/core'
import { strings } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { shownTags } from './tags.ts'

/** Tags in one line: the first ones as chips, and how many more there are. */
export function TagChips({ tags, max }: { tags: readonly string[]; max?: number }) {
  const { shown, hidden } = shownTags(tags, max)
  if (tags.length === 0)
    return (
      <Text span inherit c="dimmed" aria-hidden>
        {general.none}
      </Text>
    )
  return (
    <>
      {shown.map((tag) => (
        <Badge
          key={tag}
          variant="default"
          size="sm"
          radius="sm"
          tt="none"
          fw={500}
          style={{ flexShrink: 1, minWidth: 40 }}
          title={tag}
        >
          <bdi>{tag}</bdi>
        </Badge>
      ))}
      {hidden > 0 && (
        <Text span size="xs" c="dimmed" title={tags.slice(shown.length).join(', ')} style={{ flexShrink: 0 }}>
          {strings.moreTags(hidden)}
        </Text>
      )}
    </>
  )
}
