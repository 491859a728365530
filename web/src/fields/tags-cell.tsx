import { useRef, useState } from 'react'
import { strings } from '#strings/fields.ts'
import { useCan } from '#web/api/use-can.ts'
import type { TypedValue } from '#web/ui/select/searchable-multi-select.tsx'
import { type CellOpening, CellPopover } from './cell-popover.tsx'
import { type CompanyInList, useSaveOneField } from './save-one-field.ts'
import { TagChips } from './tag-chips.tsx'
import { cleanTags, isSameTags } from './tags.ts'
import { TagsField } from './tags-field.tsx'

const readTags = ({ tags }: CompanyInList): readonly string[] => tags

/** The tags of a company in a list, which those who may change in place. Leaving the editor saves. */
export function TagsCell({
  company,
  max,
  ...opening
}: { company: CompanyInList; max?: number } & CellOpening) {
  const mayWrite = useCan('write')
  const { value, isSaving, save } = useSaveOneField(company, readTags, isSameTags)
  const [draft, setDraft] = useState<string[] | null>(null)
  const typed = useRef<TypedValue>(null)
  const chips = <TagChips tags={value} {...(max !== undefined && { max })} />
  if (!mayWrite) return chips
  const discard = () => setDraft(null)
  const commit = () => {
    const tags = typed.current?.add('only')
    if (!tags) return false
    save({ value: cleanTags(tags), changes: { tags: cleanTags(tags) } })
    discard()
    return true
  }
  return (
    <CellPopover
      {...opening}
      label={strings.editTags(company.name, value.join(', '))}
      isBusy={isSaving}
      onLeave={commit}
      editor={(close) => (
        <TagsField
          label={strings.tags}
          description={strings.tagsHelp}
          size="xs"
          tags={draft ?? value}
          onChange={setDraft}
          typedValue={typed}
          comboboxProps={{ withinPortal: false }}
          data-autofocus
          onKeyDown={(event) => {
            if (event.key === 'Escape') discard()
            if (event.key !== 'Enter' || event.currentTarget.value.trim() !== '') return
            if (event.currentTarget.getAttribute('aria-activedescendant')) return
            event.preventDefault()
            if (commit()) close()
          }}
        />
      )}
    >
      {chips}
    </CellPopover>
  )
}
