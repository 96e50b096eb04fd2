const mongoose = require('mongoose');
const Schema = mongoose.Schema;

const VineyardSchema = new Schema({
  name: {
    type: String,
    required: true,
    trim: true
  },
  region: {
    type: String,
    required: true
  },
  hectares: {
    type: Number,
    default: 0
  },
  createdAt: {
    type: Date,
    default: Date.now
  }
});

module.exports = mongoose.model('Vineyard', VineyardSchema);
