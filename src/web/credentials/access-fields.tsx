import { Checkbox, Group, Radio, Stack, TagsInput } from '@mantine/core'
import type { Access, Credential, Operation } from '../api-types.ts'
import { useResources } from '../rows/resources.ts'
import { capitalized } from '../rows/words.ts'

/** What a credential may do, as the API takes it. */
export type AccessForm = Readonly<Pick<Credential, 'access' | 'may' | 'resources' | 'addresses'>>

export const wideOpen: AccessForm = { access: 'read', may: null, resources: null, addresses: null }

interface AccessFieldsProps {
  readonly form: AccessForm
  readonly change: (form: AccessForm) => void
  readonly errorAt: (name: string) => { readonly error?: string }
}

export const accessFields = { may: 'Access', resources: 'Data', addresses: 'Addresses' }

const accesses: readonly { readonly value: Access; readonly label: string; readonly description: string }[] = [
  { value: 'read', label: 'Read-only', description: 'Reads data of the company.' },
  { value: 'read-write', label: 'Read-write', description: 'Also creates, changes and deletes it.' },
]

const operations: readonly { readonly value: Operation; readonly label: string }[] = [
  { value: 'read', label: 'Read' },
  { value: 'create', label: 'Create' },
  { value: 'change', label: 'Change' },
  { value: 'delete', label: 'Delete' },
]

const allOf = { read: ['read'], 'read-write': operations.map(({ value }) => value) } as const satisfies Record<
  Access,
  readonly Operation[]
>

/** Whether it may do anything at all. */
export const isUsable = ({ may, resources }: AccessForm): boolean => may?.length !== 0 && resources?.length !== 0

/** Said where nothing is ticked. */
const noneError = (chosen: readonly string[]) => (chosen.length === 0 ? { error: 'Tick at least one.' } : {})

/** What it may do, with which data, and from where. What is narrowed starts as it is. */
export function AccessFields({ form, change, errorAt }: AccessFieldsProps) {
  const choose = (value: string) =>
    change(
      value === 'custom'
        ? { ...form, may: form.may ?? allOf[form.access] }
        : { ...form, may: null, access: value === 'read' ? 'read' : 'read-write' },
    )
  return (
    <>
      <Radio.Group label="Access" value={form.may ? 'custom' : form.access} onChange={choose} {...errorAt('may')}>
        <Stack gap="xs" mt={6}>
          {accesses.map((one) => (
            <Radio key={one.value} {...one} />
          ))}
          <Radio value="custom" label="Custom" description="Some of reading, creating, changing and deleting." />
        </Stack>
      </Radio.Group>
      {form.may && (
        <Checkbox.Group
          label="It may"
          value={[...form.may]}
          onChange={(chosen) =>
            change({ ...form, may: operations.map(({ value }) => value).filter((one) => chosen.includes(one)) })
          }
          {...noneError(form.may)}
        >
          <Group mt={6}>
            {operations.map((one) => (
              <Checkbox key={one.value} {...one} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <DataField form={form} change={change} errorAt={errorAt} />
      <TagsInput
        label="Addresses"
        description="Networks that it may be used from, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32. Press Enter after each; empty for all."
        // There is no list to open, which would take the key Escape for itself.
        dropdownOpened={false}
        value={[...(form.addresses ?? [])]}
        onChange={(texts) => change({ ...form, addresses: texts.length === 0 ? null : texts })}
        {...errorAt('addresses')}
      />
    </>
  )
}

/** All data, also what is added later, or some of the resources. */
function DataField({ form, change, errorAt }: AccessFieldsProps) {
  const resources = useResources()
  const only = form.resources
  return (
    <>
      <Radio.Group
        label="Data"
        value={only ? 'some' : 'all'}
        onChange={(value) => change({ ...form, resources: value === 'all' ? null : resources.map(({ name }) => name) })}
        {...errorAt('resources')}
      >
        <Group mt={6}>
          <Radio value="all" label="All" />
          <Radio value="some" label="Only some" />
        </Group>
      </Radio.Group>
      {only && (
        <Checkbox.Group
          label="Only these"
          value={[...only]}
          onChange={(chosen) => change({ ...form, resources: chosen })}
          {...noneError(only)}
        >
          <Group mt={6}>
            {resources.map(({ name, many }) => (
              <Checkbox key={name} value={name} label={capitalized(many)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  )
}
