import { Alert, Button, Group, Input, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { FEEDBACK_TYPES, MAX_FEEDBACK_LENGTH, MAX_FEEDBACK_TITLE_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/feedback.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import type { FeedbackText } from '../feedback-draft.ts'

interface FeedbackFormProps {
  text: FeedbackText
  change: (text: FeedbackText) => void
  page: string
  send: () => void
  isSending: boolean
  error: unknown
  startOver: () => void
}

export function FeedbackForm({ text, change, page, send, isSending, error, startOver }: FeedbackFormProps) {
  const subject = useRef<HTMLInputElement>(null)
  useEffect(() => subject.current?.focus(), [])
  const [isIncomplete, setIsIncomplete] = useState(false)
  const isEmpty = !text.title && !text.description
  const submit = (event: SubmitEvent | KeyboardEvent) => {
    event.preventDefault()
    const isBlank = text.title.trim() === ''
    setIsIncomplete(isBlank)
    if (isBlank) subject.current?.focus()
    if (!isBlank && !isSending) send()
  }
  const submitByKeys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form onSubmit={submit} onKeyDown={submitByKeys} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {strings.intro}
        </Text>
        <Input.Wrapper label={strings.type} labelElement="div">
          <SegmentedControl
            mt={4}
            fullWidth
            aria-label={strings.type}
            value={text.type}
            onChange={(type) => change({ ...text, type })}
            readOnly={isSending}
            data={FEEDBACK_TYPES.map((type) => ({ value: type, label: strings.types[type] }))}
          />
        </Input.Wrapper>
        <TextInput
          ref={subject}
          label={strings.subject}
          placeholder={strings.subjectExample[text.type]}
          value={text.title}
          onChange={(event) => change({ ...text, title: event.currentTarget.value })}
          error={isIncomplete && text.title.trim() === '' && strings.subjectRequired}
          readOnly={isSending}
          maxLength={MAX_FEEDBACK_TITLE_LENGTH}
          required
          dir="auto"
          data-autofocus
        />
        <Textarea
          label={strings.description}
          placeholder={strings.descriptionExample[text.type]}
          value={text.description}
          onChange={(event) => change({ ...text, description: event.currentTarget.value })}
          readOnly={isSending}
          maxLength={MAX_FEEDBACK_LENGTH}
          autosize
          minRows={5}
          maxRows={14}
          dir="auto"
        />
        <Text size="xs" c="dimmed" className="break-anywhere">
          {strings.page(page)}
          <br />
          {strings.draftHelp}
        </Text>
        {error !== null && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {errorMessage(error)}
          </Alert>
        )}
        <Group justify="flex-end">
          {!isEmpty && (
            <Button variant="subtle" onClick={startOver} disabled={isSending}>
              {strings.clear}
            </Button>
          )}
          <Button type="submit" loading={isSending}>
            {strings.send}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
