import React, { useEffect, useState } from 'react';
import axios from 'axios';

export default function TrailList() {
  const [trails, setTrails] = useState([]);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState(null);

  useEffect(() => {
    axios.get('/api/trails')
      .then(res => setTrails(res.data))
      .catch(err => setError(err))
      .finally(() => setLoading(false));
  }, []);

  if (loading) return <p>Loading...</p>;
  if (error) return <p>Error: {error.message}</p>;

  return (
    <ul>
      {trails.map(trail => <li key={trail.id}>{trail.name}</li>)}
    </ul>
  );
}
