import React, { Component } from 'react';

class MenuEditor extends Component {
  constructor(props) {
    super(props);
    this.state = { dish: '', price: '' };
    this.handleChange = this.handleChange.bind(this);
    this.handleSubmit = this.handleSubmit.bind(this);
  }

  handleChange(event) {
    this.setState({ [event.target.name]: event.target.value });
  }

  handleSubmit(event) {
    event.preventDefault();
    this.props.onSubmit(this.state);
  }

  render() {
    return <form onSubmit={this.handleSubmit}><input name="dish" value={this.state.dish} onChange={this.handleChange} /></form>;
  }
}

export default MenuEditor;
