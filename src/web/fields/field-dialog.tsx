import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Field } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import type { ErrorAt } from '../parts/field-errors.ts'
import { refresh } from '../queries.ts'
import { useResources } from '../rows/resources.ts'
import { capitalized } from '../rows/words.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { ChoiceEditor } from './choice-editor.tsx'
import { bodyOf, changesOf, type FieldForm, type FieldStart, formOf, nameFrom, newChoice } from './field-form.ts'
import { fieldTypes, hasChoices } from './field-types.ts'
import { StatesEditor } from './states-editor.tsx'
import { DefaultField, RuleFields } from './value-fields.tsx'

interface FieldDialogProps {
  /** The field to change; null to create one. */
  readonly field: Field | null
  /** What a new one has from the beginning. */
  readonly start: FieldStart
  readonly close: () => void
}

/** The places at which a failure can be shown. */
const places = {
  ...{ resource: 'Resource', label: 'Label', name: 'Name', type: 'Type', description: 'Description' },
  ...{ choices: 'Choices', initial: 'The initial value', transitions: 'Transitions', rules: 'Rules' },
  ...{ default_value: 'Default', indexed: 'Index' },
}

/** Creates a field, or changes one. */
export function FieldDialog({ field, start, close }: FieldDialogProps) {
  const [form, setForm] = useState(() => formOf(field ?? start))
  const change = (part: Partial<FieldForm>) => setForm((now) => ({ ...now, ...part }))
  const send = useSend()
  const task = useTask(async () => {
    if (field) await send('PATCH', `/fields/${field.id}`, changesOf(form))
    else await send('POST', '/fields', bodyOf(form))
    await refreshFields()
    notifications.show({ message: `${form.label.trim()} is ${field ? 'updated' : 'created'}.` })
    close()
  })
  return (
    <Dialog close={close} title={field ? `Edit ${field.label}` : 'New field'} size="lg">
      <DialogForm
        task={task}
        action={field ? 'Save' : 'Create field'}
        failed="Could not save the field"
        cancel={close}
        fields={places}
      >
        {(errorAt) => (
          <Stack>
            <Identity form={form} change={change} errorAt={errorAt} isStored={field !== null} />
            {hasChoices(form.type) && (
              <ChoiceEditor choices={form.choices} change={(choices) => change({ choices })} {...errorAt('choices')} />
            )}
            {form.type === 'choice' && <StatesEditor form={form} change={change} errorAt={errorAt} />}
            <RuleFields form={form} change={change} errorAt={errorAt} isStored={field !== null} />
            <DefaultField form={form} change={change} errorAt={errorAt} isStored={field !== null} />
            <Flags form={form} change={change} errorAt={errorAt} />
          </Stack>
        )}
      </DialogForm>
    </Dialog>
  )
}

/** Reads again all that shows fields. */
export const refreshFields = (): Promise<void> => refresh('/fields', '/resources', '/rest/')

interface PartProps {
  readonly form: FieldForm
  readonly change: (part: Partial<FieldForm>) => void
  readonly errorAt: ErrorAt
}

function Identity({ form, change, errorAt, isStored }: PartProps & { readonly isStored: boolean }) {
  const resources = useResources().filter(({ takes_fields }) => takes_fields)
  const named = nameFrom(form.label)
  /** The name follows the label until somebody types one. */
  const rename = (label: string) =>
    change(!isStored && (form.name === '' || form.name === named) ? { label, name: nameFrom(label) } : { label })
  const retype = (text: string) => {
    const type = Object.keys(fieldTypes).find((one): one is FieldForm['type'] => one === text)
    const choices = form.choices.length === 0 ? [newChoice('gray'), newChoice('blue')] : form.choices
    const indexed = form.indexed && type !== undefined && fieldTypes[type].noIndex === undefined
    if (type) change({ type, defaultValue: '', rules: {}, indexed, ...(hasChoices(type) ? { choices } : {}) })
  }
  const fixed = { readOnly: true, variant: 'filled' } as const
  return (
    <>
      <TextInput
        label="Label"
        description="What people call it. It may change."
        required
        withAsterisk={false}
        data-autofocus
        dir="auto"
        maxLength={100}
        value={form.label}
        onChange={(event) => rename(event.currentTarget.value)}
        {...errorAt('label')}
      />
      <div className="two-columns">
        <TextInput
          label="Name in the API"
          description="It never changes."
          required
          withAsterisk={false}
          autoComplete="off"
          maxLength={63}
          classNames={{ input: 'mono' }}
          value={form.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          {...(isStored ? fixed : {})}
          {...errorAt('name')}
        />
        {isStored ? (
          <TextInput label="Type" description="It never changes." value={fieldTypes[form.type].label} {...fixed} />
        ) : (
          <NativeSelect
            label="Type"
            description={fieldTypes[form.type].hint || 'It never changes.'}
            data={Object.entries(fieldTypes).map(([value, { label }]) => ({ value, label }))}
            value={form.type}
            onChange={(event) => retype(event.currentTarget.value)}
            {...errorAt('type')}
          />
        )}
      </div>
      {!isStored && resources.length > 1 && (
        <NativeSelect
          label="Field of"
          data={resources.map(({ name, many }) => ({ value: name, label: capitalized(many) }))}
          value={form.resource}
          onChange={(event) => change({ resource: event.currentTarget.value })}
          {...errorAt('resource')}
        />
      )}
      <TextInput
        label="Description"
        description="What it is for. Optional."
        dir="auto"
        maxLength={500}
        value={form.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        {...errorAt('description')}
      />
    </>
  )
}

function Flags({ form: { type, required, indexed }, change, errorAt }: PartProps) {
  const { noIndex } = fieldTypes[type]
  return (
    <>
      <Checkbox
        label="Required"
        description="A row that is written needs a value. Rows that are there have none until they are written."
        checked={required}
        onChange={(event) => change({ required: event.currentTarget.checked })}
      />
      <Checkbox
        label="Indexed"
        description={noIndex ?? 'Filters and order by it stay quick with very many rows. At most 8 fields.'}
        disabled={noIndex !== undefined}
        checked={indexed}
        onChange={(event) => change({ indexed: event.currentTarget.checked })}
        {...errorAt('indexed')}
      />
    </>
  )
}
