const express = require('express');
const router = express.Router();
const Kennel = require('../models/kennel');

router.get('/', async (req, res) => {
  try {
    const kennels = await Kennel.find();
    res.json(kennels);
  } catch (err) {
    res.status(500).json({ message: err.message });
  }
});

router.post('/', async (req, res) => {
  const kennel = new Kennel({ name: req.body.name, places: req.body.places });
  try {
    const saved = await kennel.save();
    res.status(201).json(saved);
  } catch (err) {
    res.status(400).json({ message: err.message });
  }
});

module.exports = router;
