import type { INodeProperties } from 'n8n-workflow';

/**
 * A parameter that is chosen from a list which the editor fetches, or typed.
 *
 * @param search the node's `listSearch` method
 */
export const locator = (
  parameter: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'displayOptions'> & {
    search: string;
    placeholder: string;
  },
): INodeProperties => {
  const { search, placeholder, ...rest } = parameter;
  return {
    ...rest,
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: search, searchable: true },
      },
      { displayName: 'By ID', name: 'id', type: 'string', placeholder },
    ],
  };
};
