import { lazyPart } from '#web/ui/lazy-part.tsx'

// Screens show values before anyone edits them.

export const OwnerField = lazyPart(
  async () => ({ default: (await import('./owner-field.tsx')).OwnerField }),
  { isPreloaded: true },
)

export const TagsField = lazyPart(async () => ({ default: (await import('./tags-field.tsx')).TagsField }), {
  isPreloaded: true,
})

export const CustomFieldInput = lazyPart(
  async () => ({ default: (await import('./custom-field-input.tsx')).CustomFieldInput }),
  { isPreloaded: true },
)
