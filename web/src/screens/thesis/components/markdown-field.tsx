import { Box, Input, Paper, Tabs, Text, Textarea } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { strings } from '#strings/theses.ts'
import Markdown from '#web/ui/markdown/markdown.tsx'
import classes from './markdown-field.module.css'

interface MarkdownFieldProps {
  value: string
  onChange: (value: string) => void
  title: string
}

const DEBOUNCE_MS = 300

/** A Markdown editor with a preview: beside it on wide screens, in a second tab on narrow ones. */
export function MarkdownField({ value, onChange, title }: MarkdownFieldProps) {
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const field = (
    <Textarea
      label={strings.report}
      description={strings.reportHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ input: classes.input }}
      maxLength={500_000}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      dir="auto"
    />
  )
  const preview = <Preview markdown={value} title={title} />
  if (isWide)
    return (
      <div className={classes.both}>
        {field}
        <Box miw={0}>
          <Input.Label component="div">{strings.preview}</Input.Label>
          {preview}
        </Box>
      </div>
    )
  return (
    <Tabs defaultValue="write" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="write">{strings.write}</Tabs.Tab>
        <Tabs.Tab value="preview">{strings.preview}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write">{field}</Tabs.Panel>
      <Tabs.Panel value="preview">{preview}</Tabs.Panel>
    </Tabs>
  )
}

function Preview({ markdown, title }: { markdown: string; title: string }) {
  const [settled] = useDebouncedValue(markdown, DEBOUNCE_MS)
  return (
    <Paper
      component="section"
      withBorder
      p="md"
      className={classes.preview}
      tabIndex={0}
      aria-label={strings.preview}
    >
      {settled.trim() === '' ? (
        <Text size="sm" c="dimmed">
          {strings.emptyPreview}
        </Text>
      ) : (
        <Markdown markdown={settled} title={title} hasAnchors />
      )}
    </Paper>
  )
}
