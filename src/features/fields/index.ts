export { dropForbiddenValues, findDeletedFields, findForbiddenValues } from './allowed-values.ts'
export {
  customKey,
  customName,
  patchedNames,
  withCustomNames,
  withCustomValues,
} from './changes.ts'
export { addOptions, createMissingFields } from './create-missing.ts'
export { customCell, exportedLabels } from './custom-cells.ts'
export { CustomFields, readCustomFields } from './custom-fields.ts'
export { lockDefinitions } from './definitions.ts'
export { customFilterFields, fieldsReader } from './filter-fields.ts'
export { countMissingIndexes, maintainFieldIndexes } from './indexes.ts'
export type { FieldKind } from './kind.ts'
export type { FieldEntity } from './list-schema.ts'
export { builtInNames } from './names.ts'
export { withNewOptions } from './options.ts'
export { removeDeletedValues } from './remove-values.ts'
export {
  CustomField,
  type CustomFieldType,
  CustomValues,
  DEFAULT_CURRENCY,
  type FieldOption,
  MAX_CUSTOM_TEXT_LENGTH,
  MAX_FIELD_LABEL_LENGTH,
  MAX_FIELD_OPTIONS,
} from './schema.ts'
export { customValue } from './sql.ts'
export {
  allowedValues,
  type CustomFieldMap,
  changeCustom,
  foldLabel,
  isValidValue,
  missingField,
  optionOf,
  parseCustomValue,
  requiredError,
  sizeError,
} from './values.ts'
export { changeCustomValues, newCustomValues, requireCustomUsers } from './write-values.ts'
