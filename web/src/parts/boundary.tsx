import { Component, type ReactNode } from 'react';
import { Problem } from './basics.tsx';

/** A page that crashes does not affect the others. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Problem
        error={{ message: `This page broke: ${error.message}`, hint: 'reload it, and please report this' }}
      />
    );
  }
}
